#!/usr/bin/env python3
"""The checkers in scripts/ must pass a sound tree and fail on a planted violation."""
import os
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts")

SOUND = {
    "include/cordage/base.h": "#include <stddef.h>\n",
    "include/cordage/rod.h": "#include <cordage/base.h>\n",
    "src/base/error.c": '#include "base/error.h"\n#include <stdio.h>\n',
    "src/rods/rod.c": '#include "rods/rod.h"\n#include "rod_own.h"\n#include "base/error.h"\n#include <cordage/rod.h>\n',
    "src/output/file.c": '#include <hdf5.h>\n#include "scene/scene.h"\n',
    "src/scene/parse.c": "#include <libfyaml.h>\n",
    "src/rods/kernel_simd.c": "",
    "cli/main.c": '#include "output/file.h"\n#include "cli/help.h"\n',
    "tests/test_error.c": "", "tests/test_rod.c": "", "tests/test_file.c": "", "tests/test_parse.c": "",
    "tests/test_kernel.c": "",
}


class Checks(unittest.TestCase):
    def run_on(self, script, changes):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**SOUND, **changes}.items():
                if text is None:
                    continue
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run([os.path.join(SCRIPTS, script), root], capture_output=True, text=True, check=False)

    def refuses(self, script, changes, expected):
        result = self.run_on(script, changes)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(expected, result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)

    def test_sound_tree_passes(self):
        for script in ("check_layering", "check_tests"):
            result = self.run_on(script, {})
            self.assertEqual((result.returncode, result.stdout), (0, ""), script + result.stderr)

    def test_names_after_options(self):
        with tempfile.TemporaryDirectory() as folder:
            command = os.path.join(folder, "command")  # has no examples, and refuses to run
            with open(command, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n[ \"$1\" = run ] && exit 2\necho '{\"examples\": []}'\n")
            os.chmod(command, 0o755)
            result = subprocess.run([os.path.join(SCRIPTS, "guard_examples"), command, "--seconds", "5", "trefoil"],
                                    capture_output=True, text=True, check=False)
        self.assertIn("trefoil: exit 2", result.stdout, result.stderr)

    def test_downward_include(self):
        self.refuses("check_layering", {"src/base/error.h": '#include "rods/rod.h"\n'}, "src/base/error.h:1: base may not")
        self.refuses("check_layering", {"src/scene/a.c": '\n#  include "output/file.h"\n'}, "src/scene/a.c:2: scene may not")
        self.refuses("check_layering", {"src/output/a.c": '#include "cli/help.h"\n'}, "output may not depend on cli")

    def test_contact_knows_no_rods(self):
        self.refuses("check_layering", {"src/contact/a.c": '#include "rods/rod.h"\n'}, "contact knows no rods")

        self.refuses("check_layering", {"src/contact/a.h": "// of a cdg_rod\nvoid f(struct cdg_rod *rod);\n"},
                     "src/contact/a.h:2: contact knows no cdg_rod")

    def test_nobody_calls_back_into_the_world(self):
        callback = "typedef struct a {\n    void (*again)\n    (void *user, int rod);\n} a;\n"
        self.refuses("check_layering", {"src/contact/a.h": callback}, "src/contact/a.h:2: a callback")
        self.refuses("check_layering", {"src/world/a.h": callback}, "src/world/a.h:2: a callback")
        self.refuses("check_layering", {"src/world/a.c": '#include "contact/contact_gradient.h"\n'}, "contact's own")
        self.refuses("check_layering", {"src/world/net_proxy.c": "int f(void) { return cdg_step_predict_again(0); }\n",
                                        "tests/test_net_proxy.c": ""}, "only the step may do so")

    def test_models_know_no_other(self):
        self.refuses("check_layering", {"src/rods/der/a.c": '#include "rods/pobd/chain.h"\n'}, "only src/rods/pobd/ may include")
        self.refuses("check_layering", {"src/rods/der/a.c": '#include "../pobd/chain.h"\n'}, "not with '..'")
        self.refuses("check_layering", {"src/rods/der/a.c": '#include "pobd/chain.h"\n'}, "'pobd' is not a layer")

    def test_models_own_their_options(self):
        self.refuses("check_layering", {"src/rods/der/der.c": "", "tests/test_der.c": "",
                                        "include/cordage/new.h": "\ntypedef struct cdg_der_options {\n"},
                     "include/cordage/new.h:2: options of a model stand in src/rods/der/public/cordage/der.h")
        self.refuses("check_layering", {"src/rods/der/public/cordage/der.h": '#include "rods/rod.h"\n'},
                     "public header may include only")

    def test_step_is_short(self):
        self.refuses("check_layering", {"src/world/world_step.c": "int a;\n" * 201}, "the step has 201 lines; 200 are allowed")

    def test_models_are_asked(self):
        self.refuses("check_layering", {"src/world/a.c": "if (model == CDG_MODEL_DER) return;\n"}, "ask its table")
        self.refuses("check_layering", {"cli/a.c": "cdg_pobd_options own;\n"}, "cli/a.c:1: cdg_pobd_options")

    def test_library_outside_its_door(self):
        self.refuses("check_layering", {"src/world/a.c": "#include <hdf5.h>\n"}, "only src/output may include hdf5.h")
        self.refuses("check_layering", {"src/output/a.c": "#include <libfyaml.h>\n"}, "only src/scene")
        self.refuses("check_layering", {"cli/info.c": "#include <H5Fpublic.h>\n"}, "cli/info.c:1: only src/output")
        self.refuses("check_layering", {"src/rods/a.c": "#include <omp.h>\n"}, "only src/base")

    def test_ways_around(self):
        self.refuses("check_layering", {"src/base/a.c": '#include "../rods/rod.h"\n'}, "not with '..'")
        self.refuses("check_layering", {"src/base/a.c": "#include <rods/rod.h>\n"}, "base may not depend on rods")
        self.refuses("check_layering", {"src/base/a.c": '#include "cordage/base.h"\n'}, "included as <cordage/base.h>")
        self.refuses("check_layering", {"src/odds/a.c": ""}, "src/odds: not a layer")
        self.refuses("check_layering", {"src/rods/a.c": '#include "odds/a.h"\n'}, "'odds' is not a layer")

    def test_public_header_with_private_include(self):
        self.refuses("check_layering", {"include/cordage/rod.h": '#include "rods/rod.h"\n'}, "include/cordage/rod.h:1")
        self.refuses("check_layering", {"include/cordage/rod.h": "#include <hdf5.h>\n"}, "include/cordage/rod.h:1")

    def test_source_without_test(self):
        self.refuses("check_tests", {"src/math/solve.c": ""}, "src/math/solve.c has no test")
        self.refuses("check_tests", {"tests/test_kernel.c": None}, "src/rods/kernel_simd.c has no test")
        self.refuses("check_tests", {"include/cordage/new.h": "int cdg_new(int *out);\n"}, "cdg_new is in neither")


if __name__ == "__main__":
    unittest.main()
