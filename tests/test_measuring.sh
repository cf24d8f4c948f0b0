#!/usr/bin/env bash
# validate, bench and mesh from outside: every case passes, and fails with its deliberately wrong parameter.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND" --pattern 'test_m*.py'
