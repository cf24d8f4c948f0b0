#!/usr/bin/env bash
# The command from outside: exit statuses, messages, JSON, interruption and resumption, terminals, the documented examples.
# What takes longest, validate and bench, is run by test_measuring.sh, with all that begins with m, so that two can run side by side.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND" --pattern 'test_[!m]*.py'
