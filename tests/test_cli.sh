#!/usr/bin/env bash
# The command from outside: exit statuses, messages, JSON, interruption and resumption, terminals, the documented examples.
# What begins with m has tests of its own, so that they can run side by side: test_measuring.sh, test_meshing.sh.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND" --pattern 'test_[!m]*.py'
