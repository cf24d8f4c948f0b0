"""Instruction sets: each gives the same bits for any number of threads and on every run, all agree to rounding (with
contact to what its solvers leave), and small scenes give the very bits that are written down in golden_results.json.

When a golden hash fails, results have changed. If they were meant to, raise CDG_ALGORITHM_VERSION in
src/output/run_origin.h and write the new ones down:
    CORDAGE_RENEW=1 python3 tests/cli/run_tests.py build/release/cordage --pattern test_instructions.py
A machine writes the sets that it has and leaves the others, which then have to be renewed on one that has them. Another
C library may round sines otherwise: what glibc gives is written down, with its version. OpenBLAS chooses its kernels by
the processor, and those for AVX-512 round otherwise than all older ones: the latter are asked for here."""
import hashlib
import json
import os
import platform
import re
import unittest

from command_case import SOURCE, CommandCase
from pinned_scenes import AGREEING, FILES, SCENES

FOLDER = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(FOLDER, "golden_results.json")
SETS = ("base", "avx2", "avx512")

LENGTH = 0.7  # m, of the longer rod: what differences are compared with
AGREEMENT = 1e-9  # of it, between sets after 0.05 s: rounding errors of 1e-16 grow with the motion, but not by more
AGREEMENT_TOUCHING = 1e-6  # with contact, whose solvers leave 1e-4 to 1e-3 of a radius in every step


def widest():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^flags\s*:(.*)$", file.read(), re.M)
    flags = set(found[1].split()) if found else set()
    if {"avx512f", "avx512dq", "avx512vl", "avx512bw", "fma"} <= flags:
        return 2
    return 1 if {"avx2", "fma"} <= flags else 0


class InstructionSets(CommandCase):
    def results(self, scene, name, threads=1):
        for file, text in {**FILES, "scene.yaml": SCENES[scene]}.items():
            self.write(file, text)
        os.environ["CORDAGE_INSTRUCTIONS"] = name
        os.environ["OPENBLAS_CORETYPE"] = "Prescott"  # which every x86-64 bears
        try:
            run = f"{scene}_{name}_{threads}"
            self.run_command("run", "scene.yaml", "-o", run, "-q", "--threads", str(threads))
        finally:
            del os.environ["CORDAGE_INSTRUCTIONS"], os.environ["OPENBLAS_CORETYPE"]
        return self.read(run, "probes.csv")

    def test_sets(self):
        available = SETS[: widest() + 1]
        golden = {}
        if os.path.exists(GOLDEN):
            with open(GOLDEN, encoding="utf-8") as file:
                golden = json.load(file)
        renew = bool(os.environ.get("CORDAGE_RENEW"))
        library = " ".join(platform.libc_ver())
        found = golden.get("hashes", {}) if renew else {}
        for scene in SCENES:
            numbers = {}
            for name in available:
                text = self.results(scene, name)
                self.assertEqual(text, self.results(scene, name, 2), f"{scene}, {name}: threads change the bits")
                numbers[name] = [[float(value) for value in line.split(",")] for line in text.splitlines()[1:]]
                found.setdefault(scene, {})[name] = hashlib.sha256(text.encode()).hexdigest()
            for name in available[1:] if scene in AGREEING else ():
                gap = max(abs(a - b) for rows in zip(numbers["base"], numbers[name]) for a, b in zip(*rows))
                most = AGREEMENT_TOUCHING if scene.startswith("touching") else AGREEMENT
                self.assertLess(gap, most * LENGTH, f"{scene}: base and {name} differ by {gap} m")
                self.assertGreater(gap, 0, f"{scene}: {name} gives the bits of base; is it in use?")
        with open(os.path.join(SOURCE, "src/output/run_origin.h"), encoding="utf-8") as file:
            algorithm = int(re.search(r"CDG_ALGORITHM_VERSION = (\d+)", file.read())[1])
        if renew:
            with open(GOLDEN, "w", encoding="utf-8") as file:
                json.dump({"algorithm": algorithm, "library": library, "hashes": found}, file, indent=2, sort_keys=True)
                file.write("\n")
            return
        self.assertEqual(golden["algorithm"], algorithm, "renew the golden results, too (see the top of this file)")
        if golden["library"] != library:
            self.skipTest(f"golden results are of {golden['library']}, this is {library}")
        self.assertEqual(set(golden["hashes"]), set(SCENES), "a scene has no golden results, or results have no scene")
        for scene, sets in found.items():
            for name, value in sets.items():
                expected = golden["hashes"].get(scene, {}).get(name)
                if expected is None:
                    print(f"no golden result of {scene} for {name}: {value}")
                else:
                    self.assertEqual(value, expected, f"{scene} for {name} has changed (see the top of this file)")

    def test_wrong_set(self):
        self.write("scene.yaml", SCENES["pobd"])
        for name in ("sse9",) + SETS[widest() + 1:]:
            os.environ["CORDAGE_INSTRUCTIONS"] = name
            try:
                self.assertIn("CORDAGE_INSTRUCTIONS", self.run_command("run", "scene.yaml", "-o", "wrong", status=2).stderr)
            finally:
                del os.environ["CORDAGE_INSTRUCTIONS"]

    def test_resume_with_another_set(self):
        if widest() == 0:
            self.skipTest("this processor has one set only")
        self.write("scene.yaml", SCENES["corde"].replace("0.05 s", "20 s"))
        os.environ["CORDAGE_INSTRUCTIONS"] = "base"
        try:
            process = self.start("run", "scene.yaml", "-o", "part", "-q")
            self.wait_for_outputs(process, "part", 2)
            process.terminate()
            self.end(process)
        finally:
            del os.environ["CORDAGE_INSTRUCTIONS"]
        message = self.run_command("run", "--resume", "part", "-q", status=2).stderr
        self.assertIn("instruction set was 'base'", message)
        self.assertIn("--force", message)


if __name__ == "__main__":
    unittest.main()
