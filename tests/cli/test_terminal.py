"""On a terminal: the progress bar, colours, Ctrl-C; and none of that elsewhere."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
import unicodedata

from command_case import COMMAND, TIMEOUT, CommandCase, SCENE, restore_signals

LONG = SCENE.replace("duration: 0.2 s", "duration: 4 s").replace("step: 1 ms", "step: 0.2 ms")


class Terminal(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("long.yaml", LONG)

    def run_on_terminal(self, *arguments, columns=100, environment=None, act=None):
        """Runs on a pseudo-terminal; returns the exit status and all that was shown. `act(shown, master, process)` may
        type or send signals as the text grows."""
        variables = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        variables.update(environment or {})
        process, master = pty.fork()
        if process == 0:
            try:
                restore_signals()
                os.chdir(self.directory)
                os.execve(COMMAND, [COMMAND, *arguments], variables)
            finally:
                os._exit(127)
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        shown, deadline = b"", time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    data = os.read(master, 65536)
                except OSError:  # the other side is closed
                    data = b""
                if not data:
                    break
                shown += data
            if act:
                act(shown, master, process)
        else:
            os.kill(process, signal.SIGKILL)
        os.close(master)
        _, status = os.waitpid(process, 0)
        return status, shown.decode("utf-8")

    def drawings(self, shown):
        """What stood in the bar's line, one text a drawing."""
        return [part for part in shown.replace("\r\n", "\n").split("\n")[0].split("\r") if "%" in part]

    def test_bar(self):
        status, shown = self.run_on_terminal("run", "long.yaml")
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        drawings = self.drawings(shown)
        self.assertGreater(len(drawings), 0)
        self.assertIn("ETA", drawings[-1])
        self.assertIn("/4 s", drawings[-1])
        self.assertIn("steps/s", drawings[-1])
        self.assertIn("real time", drawings[-1])
        self.assertRegex(drawings[-1], "[█░]")
        for text in drawings:
            self.assertLess(sum(not unicodedata.combining(character) for character in text), 100)
        percents = [int(text.split("%")[0]) for text in drawings]
        self.assertEqual(percents, sorted(percents))
        # The bar is wiped before the summary: blanks and a return to the line's start.
        self.assertRegex(shown, r"\r +\rA cable swings")

    def test_narrow(self):
        for columns in (20, 40, 60):
            _, shown = self.run_on_terminal("run", "scene.yaml", columns=columns)
            for text in self.drawings(shown):
                self.assertLess(len(text), columns)

    def test_not_more_than_ten_times_a_second(self):
        began = time.monotonic()
        _, shown = self.run_on_terminal("run", "long.yaml")
        self.assertLessEqual(len(self.drawings(shown)), 2 + 10 * (time.monotonic() - began))

    def test_plain_bar_without_utf8(self):
        _, shown = self.run_on_terminal("run", "long.yaml", environment={"LC_ALL": "C"})
        self.assertTrue(shown.isascii())
        self.assertRegex(self.drawings(shown)[-1], r"\[[#.]+\]")

    def test_colours(self):
        self.write("bad.yaml", SCENE.replace("young_modulus", "young_modul"))
        _, shown = self.run_on_terminal("check", "bad.yaml")
        self.assertIn("\x1b[", shown)
        self.assertTrue(shown.count("\x1b[0m") >= 2)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            status, shown = self.run_on_terminal("check", "bad.yaml", environment=environment)
            self.assertEqual(os.waitstatus_to_exitcode(status), 2)
            self.assertNotIn("\x1b", shown)
            self.assertIn("bad.yaml:6:12: error:", shown)
        _, shown = self.run_on_terminal("run", "scene.yaml", environment={"NO_COLOR": ""})
        self.assertEqual(len(self.drawings(shown)) > 0, True)

    def test_no_color_keeps_the_bar_without_escape_codes(self):
        _, shown = self.run_on_terminal("run", "long.yaml", environment={"NO_COLOR": "1"})
        self.assertNotIn("\x1b", shown)
        self.assertGreater(len(self.drawings(shown)), 0)

    def test_dumb_and_quiet_have_no_bar(self):
        for environment, arguments in (({"TERM": "dumb"}, ()), ({}, ("--quiet",))):
            _, shown = self.run_on_terminal("run", "scene.yaml", *arguments, environment=environment)
            self.assertNotRegex(shown, r"\d%")
            self.assertNotIn("\r", shown.replace("\r\n", "\n"))
            self.assertNotIn("\x1b", shown)

    def test_ctrl_c_typed(self):
        typed = []

        def act(shown, master, process):
            if b"%" in shown and not typed:
                typed.append(True)
                os.write(master, b"\x03")
        status, shown = self.run_on_terminal("run", "long.yaml", "--set", "simulation.duration=400 s", act=act)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1)
        self.assertIn("cordage run --resume long-run", shown)
        self.assertRegex(shown, r"\r +\rcordage: interrupted")  # the bar and the echoed ^C are gone

    def test_second_ctrl_c_ends_at_once(self):
        # A step that lasts long: the first Ctrl-C waits for its end, the second does not.
        heavy = ("--set", "rods.cable.elements=200000", "--set", "simulation.duration=400 s", "--set",
                 "simulation.pobd={solver: gauss_seidel, iterations: 10000}", "--set", "output.every=1 s")
        typed = []

        def act(shown, master, process):
            started = os.path.exists(self.path("long-run", "probes.csv"))
            if started and len(typed) < 2 and (not typed or time.monotonic() > typed[-1] + 0.3):
                typed.append(time.monotonic())
                os.write(master, b"\x03")
        status, _ = self.run_on_terminal("run", "long.yaml", *heavy, act=act)
        self.assertEqual(os.waitstatus_to_exitcode(status), -signal.SIGINT)
        self.assertFalse(self.run_json("info", "long-run")["run"]["finished"])

    def test_validate_and_bench(self):
        status, shown = self.run_on_terminal("validate", "free_fall")
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertIn("free_fall", shown)
        self.assertIn("pass", shown)
        status, shown = self.run_on_terminal("bench", "frame_50x10", "--repeat", "1")
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertRegex(shown, "us/frame")
