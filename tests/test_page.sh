#!/usr/bin/env bash
# The viewer's page in a real headless Chromium: pages from disk, and those of the server.
set -euo pipefail
exec python3 "$CORDAGE_SOURCE_DIR/tests/page/run_tests.py" "$CORDAGE_COMMAND"
