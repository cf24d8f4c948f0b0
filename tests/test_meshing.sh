#!/usr/bin/env bash
# mesh from outside, and pictures of meshes.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/cli/run_tests.py" "$CORDAGE_COMMAND" --pattern 'test_mesh.py'
