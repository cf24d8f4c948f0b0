#!/usr/bin/env bash
# validate and bench from outside: every case passes, and fails with its deliberately wrong parameter, a case on each processor.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND" --pattern 'test_measuring.py'
