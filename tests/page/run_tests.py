#!/usr/bin/env python3
"""Runs the tests of the page. Usage: run_tests.py COMMAND [unittest options].

Without a Chromium they are left out, and say so; where CI is set that is a failure.
"""
import os
import sys
import unittest

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.environ["CORDAGE_COMMAND"] = os.path.abspath(sys.argv.pop(1))
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [folder, os.path.join(os.path.dirname(folder), "cli")]
    sys.dont_write_bytecode = True
    import browser
    if browser.find() is None:
        print("no Chromium: the page is not tested; 'make setup' installs it", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 0)
    sys.argv[1:1] = ["discover", "--start-directory", folder, "--pattern", "test_*.py"]
    unittest.main(module=None)
