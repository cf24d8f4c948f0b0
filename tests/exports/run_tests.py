#!/usr/bin/env python3
"""Runs the tests of exports. Usage: run_tests.py COMMAND [unittest options]; CORDAGE_NODE_MODULES holds node_modules."""
import os
import sys
import unittest

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.environ["CORDAGE_COMMAND"] = os.path.abspath(sys.argv.pop(1))
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [folder, os.path.join(os.path.dirname(folder), "cli")]
    sys.argv[1:1] = ["discover", "--start-directory", folder, "--pattern", "test_*.py"]
    sys.dont_write_bytecode = True
    unittest.main(module=None)
