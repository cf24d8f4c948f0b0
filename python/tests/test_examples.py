"""Every script in python/examples runs to its end; each asserts what it shows."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")

try:
    import numpy
except ImportError:
    numpy = None


class Examples(unittest.TestCase):
    pass


def add(path):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as file:
        needs_numpy = "import numpy" in file.read()

    @unittest.skipIf(needs_numpy and numpy is None, "needs NumPy")
    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.strip())
    setattr(Examples, "test_" + name, run)


class Pages(unittest.TestCase):
    """The Python in the documentation runs, page by page."""

    def run_page(self, name):
        with open(os.path.join(FOLDER, "..", "..", "docs", name), encoding="utf-8") as file:
            code = "\n".join(re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL))
        self.assertIn("import cordage", code)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_python(self):
        self.run_page("python.md")

    def test_from_pyelastica(self):
        self.run_page("from-pyelastica.md")


for script in sorted(glob.glob(os.path.join(FOLDER, "*.py"))):
    add(script)

if __name__ == "__main__":
    unittest.main()
