"""What the tests of the command share: a directory of their own, a scene, and ways to start the command."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

COMMAND = os.environ["CORDAGE_COMMAND"]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT = 3000  # s: against hanging only, below ctest's own limit; nothing is judged by time

SCENE = """cordage: 1
title: A cable swings
simulation: {duration: 0.2 s, step: 1 ms}
output: {every: 10 ms}
materials:
  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}
rods:
  - name: cable
    material: rubber
    section: {circle: {radius: 2 mm}}
    centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}
    elements: 20
supports:
  - clamp: cable.start
probes:
  - {name: tip, position: cable.end}
"""


def restore_signals():
    """A test run in the background ignores SIGINT, and its children would inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class CommandCase(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="cordage-test-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.write("scene.yaml", SCENE)

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def run_command(self, *arguments, status=0, **options):
        """Runs to the end and checks the exit status; the result has stdout and stderr as text."""
        options.setdefault("cwd", self.directory)
        options.setdefault("stdin", subprocess.DEVNULL)
        if "input" in options:
            options.pop("stdin")
        result = subprocess.run([COMMAND, *arguments], stdout=options.pop("stdout", subprocess.PIPE),
                                stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False, **options)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stdout}{result.stderr}")
        return result

    def run_json(self, *arguments, status=0):
        """Standard output must be one JSON document, with no numbers that JSON does not have."""
        def refuse(text):
            raise ValueError(text)
        result = self.run_command(*arguments, "--json", status=status)
        return json.loads(result.stdout, parse_constant=refuse)

    def start(self, *arguments):
        process = subprocess.Popen([COMMAND, *arguments], cwd=self.directory, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=restore_signals)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def wait_for_outputs(self, process, run, count):
        """Waits until run.h5 holds so many outputs; the run must still be going then.

        Lines of probes.csv: a header, and one row that may be ahead of run.h5, since each output goes there first."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll(), "the run ended before it could be disturbed")
            if os.path.exists(self.path(run, "probes.csv")) and self.read(run, "probes.csv").count("\n") > count + 1:
                return
            time.sleep(0.002)
        self.fail("no outputs")

    def assert_plain(self, text):
        """No escape codes, no carriage returns."""
        self.assertIsNone(re.search("[\x1b\r\b]", text), repr(text))
