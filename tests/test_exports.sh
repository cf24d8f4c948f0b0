#!/usr/bin/env bash
# Exports, read back with programs that others wrote: VTK, the Khronos glTF validator, three.js, TinyUSDZ.
set -euo pipefail
"$CORDAGE_SOURCE_DIR/scripts/setup_node" "$PWD/node"
export CORDAGE_NODE_MODULES="$PWD/node"

# Debian's packages belong to Debian's Python, which need not be the first one found.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import h5py, numpy, vtk' 2>/dev/null; then
        exec "$python" "$CORDAGE_SOURCE_DIR/tests/exports/run_tests.py" "$CORDAGE_COMMAND"
    fi
done
echo "no Python with h5py and vtk; 'make setup' installs python3-h5py and python3-vtk9" >&2
exit 1
