"""validate and bench: lists, JSON, failing when the simulation is wrong, never failing on time."""
import concurrent.futures
import json
import os
import subprocess

from command_case import COMMAND, CommandCase

MODELS = ["corde", "reference", "der explicit", "der implicit", "pobd gauss_seidel", "pobd direct", "galpha"]
# What the papers show that must have a row with theirs and ours.
SEEDS = {f"{paper} {place}" for paper, places in {
    "000": ["figure 10", "figure 11", "figure 12", "figure 14"],
    "001": ["figure 5", "figure 6", "figure 7", "figure 8", "figure 11", "table 1"],
    "002": ["figure 5", "figure 6", "table 1"],
    "003": [f"figure 1 ({number})" for number in range(1, 8)],
    "004": ["table 3.1", "table 4.1", "figure 4.3", "figure 6.2"]}.items() for place in places}


class Validate(CommandCase):
    def test_list(self):
        cases = self.run_json("validate", "--list")["cases"]
        names = [item["name"] for item in cases]
        self.assertEqual(self.run_command("validate", "--list", "--quiet").stdout.split(), names)
        text = self.run_command("validate", "--list").stdout
        for item in cases:
            self.assertIn(item["name"], text)
            self.assertIn(item["source"], text)

    def test_one_case(self):
        result = self.run_command("validate", "free_fall")
        self.assertIn("1 of 1 cases passed", result.stdout)
        self.assert_plain(result.stdout + result.stderr)
        document = self.run_json("validate", "free_fall")
        self.assertTrue(document["pass"])
        self.assertEqual(document["level"], "full")
        for level in ("quick", "exhaustive"):
            self.assertEqual(self.run_json("validate", "free_fall", f"--{level}")["level"], level)
        rows = document["cases"][0]["rows"]
        self.assertGreaterEqual(len(rows), 9)
        for row in rows:
            self.assertTrue(row["pass"])
            self.assertLessEqual(row["error"], row["tolerance"])
        result = self.run_command("validate", "free_fall", "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def run_side_by_side(self, lists, status):
        """Runs `validate` with each list of arguments, one on each processor; its documents, in order."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda arguments: self.run_json("validate", *arguments, status=status), lists))

    def test_every_case_passes(self):
        listed = [item["name"] for item in self.run_json("validate", "--list")["cases"]]
        documents = self.run_side_by_side([(name, "--quick") for name in listed], status=0)
        self.assertTrue(all(document["pass"] for document in documents))
        cases = [case for document in documents for case in document["cases"]]
        self.assertEqual([case["name"] for case in cases], listed)
        self.assertGreaterEqual(len(cases), 40)
        seeds = {row["seed"] for case in cases for row in case["rows"] if "seed" in row}
        self.assertEqual(seeds, SEEDS)
        for case in cases:
            self.assertEqual([model["name"] for model in case["models"]], MODELS)
            for model in case["models"]:  # none is skipped silently
                self.assertTrue(model["ran"] or model["why_not"], (case["name"], model["name"]))
            for row in case["rows"]:
                self.assertTrue(row["reason"], (case["name"], row["label"]))
                self.assertTrue("seed" not in row or row["theirs"], (case["name"], row["label"]))

    def test_without_names_every_case_is_run(self):
        """What is under way says how much there is: one process would take minutes, and the cases alone are run above."""
        listed = [item["name"] for item in self.run_json("validate", "--list")["cases"]]
        with subprocess.Popen([COMMAND, "validate", "--quick"], cwd=self.directory, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            lines = [process.stderr.readline().split() for _ in range(3)]
            process.kill()
        self.assertEqual(lines, [[str(100 * i // len(listed)), "%", listed[i]] for i in range(3)])

    def test_several_cases(self):
        document = self.run_json("validate", "gradients", "free_fall", "--wrong", "gravity=1.001", status=1)
        self.assertEqual([(case["name"], case["pass"]) for case in document["cases"]], [("gradients", True), ("free_fall", False)])
        self.assertFalse(document["pass"])

    def test_every_case_notices_a_wrong_parameter(self):
        items = self.run_json("validate", "--list")["cases"]
        documents = self.run_side_by_side([(item["name"], "--quick", "--wrong", item["spoiler"]) for item in items], status=1)
        for item, document in zip(items, documents):
            self.assertFalse(document["pass"], item["name"])
            self.assertFalse(document["cases"][0]["pass"], item["name"])
        self.assertIn("FAIL", self.run_command("validate", "free_fall", "--wrong", "gravity=1.01", status=1).stdout)

    def test_markdown(self):
        lines = self.run_command("validate", "der_michell", "--markdown").stdout.splitlines()
        self.assertIn("1 of 1 cases passed", lines[0])
        tables = [line for line in lines if line.startswith("|")]
        self.assertEqual(len(tables), 3 + 2 + 5)  # the case; five rows of figure 8
        self.assertTrue(all(line.endswith("|") for line in tables))
        self.assertIn("001 figure 8", tables[-1])

    def test_harmless_factor(self):
        # A body falls the same whatever its stiffness and mass.
        self.run_command("validate", "free_fall", "--wrong", "bend=3", "--wrong", "mass=2", "--wrong", "bend=0.5")


class Bench(CommandCase):
    def test_list(self):
        workloads = self.run_json("bench", "--list")["workloads"]
        self.assertEqual(self.run_command("bench", "--list", "--quiet").stdout.split(), [item["name"] for item in workloads])
        for name in ("step_direct", "step_gauss_seidel_1000x50", "frame_50x10", "scaling_direct", "strands_10000x50x4",
                     "memory"):
            self.assertIn(name, [item["name"] for item in workloads])

    def test_json(self):
        document = self.run_json("bench", "frame_50x10", "step_direct", "--repeat", "2")
        for key in ("processor", "compiler", "flags"):
            self.assertTrue(document[key])
        self.assertEqual([item["name"] for item in document["workloads"]], ["frame_50x10", "step_direct"])
        for item in document["workloads"]:
            for row in item["rows"]:
                self.assertEqual(len(row["samples"]), 2)
                self.assertGreater(row["least"], 0)
                self.assertLessEqual(row["least"], row["median"])
                self.assertGreater(row["bar"], 0)

    def test_against(self):
        # Compared with figures a hundred times slower and faster than these, so that noise has no say.
        document = self.run_json("bench", "frame_50x10", "--repeat", "1")
        row = document["workloads"][0]["rows"][0]
        median = row["median"]
        for factor, status in ((100, 0), (0.01, 1)):
            row["median"] = factor * median
            with open(os.path.join(self.directory, "before.json"), "w", encoding="utf-8") as file:
                json.dump(document, file)
            result = self.run_command("bench", "frame_50x10", "--repeat", "1", "--against", "before.json", status=status)
            self.assertIn("1 figure compared", result.stdout)
            self.assertEqual("slower than the baseline" in result.stderr, status == 1)
            self.assertEqual("REGRESSION" in result.stdout, status == 1)
        self.assertIn("no document", self.run_command("bench", "frame_50x10", "--against", "scene.yaml", status=2).stderr)

    def test_text(self):
        result = self.run_command("bench", "frame_50x10", "--repeat", "1")
        for word in ("processor", "compiler", "flags", "median", "us/frame", "bar"):
            self.assertIn(word, result.stdout)
        self.assert_plain(result.stdout + result.stderr)
