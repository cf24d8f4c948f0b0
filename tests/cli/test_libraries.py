"""Large libraries are loaded when they are needed, not at the start; one that cannot be loaded is named."""
import os
import re
import unittest

from command_case import COMMAND, CommandCase

LARGE = {"hdf5", "cairo", "embree", "websockets", "assimp", "ode", "lapacke"}
IS_LAZY = os.path.exists(os.path.join(os.path.dirname(COMMAND), "lazy_libraries.c"))


@unittest.skipUnless(IS_LAZY, "this build loads all libraries at the start")
class Libraries(CommandCase):
    def loaded(self, *arguments):
        environment = dict(os.environ, LD_DEBUG="files")
        result = self.run_command(*arguments, env=environment)
        names = re.findall(r"calling init: \S*/lib(\w+?)(?:_serial|\d)?\.so", result.stderr)
        self.assertIn("fyaml", names)  # the pattern finds what is there
        return LARGE.intersection(names)

    def test_when_needed(self):
        self.assertEqual(self.loaded("--version"), set())
        self.assertEqual(self.loaded("check", "scene.yaml"), set())
        self.assertEqual(self.loaded("run", "scene.yaml", "-q", "-o", "out"), {"hdf5"})
        self.assertEqual(self.loaded("plot", "out", "-o", "tip.svg"), {"hdf5", "cairo"})
        self.assertIn("embree", self.loaded("render", "out", "--frame", "0", "--size", "64x48", "-o", "one.png"))

    def test_missing(self):
        self.run_command("run", "scene.yaml", "-q", "-o", "out")
        self.write("libcairo.so.2", "no library")
        environment = dict(os.environ, LD_LIBRARY_PATH=self.directory)
        result = self.run_command("plot", "out", "-o", "tip.svg", status=1, env=environment)
        self.assertIn("libcairo.so.2 cannot be loaded", result.stderr)
