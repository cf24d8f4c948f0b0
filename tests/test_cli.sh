#!/usr/bin/env bash
# The command from outside: exit statuses, messages, JSON, interruption and resumption, terminals, the documented examples.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND"
