#!/usr/bin/env python3
"""Runs the tests of the cordage command. Usage: run_tests.py COMMAND [unittest options]"""
import os
import sys
import unittest

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.environ["CORDAGE_COMMAND"] = os.path.abspath(sys.argv.pop(1))
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, folder)
    sys.argv[1:1] = ["discover", "--start-directory", folder, "--pattern", "test_*.py"]
    sys.dont_write_bytecode = True
    unittest.main(module=None)
