"""Help, options, mistakes: what is said and with which exit status."""
import os
import subprocess

from command_case import COMMAND, SOURCE, CommandCase


class Help(CommandCase):
    def setUp(self):
        super().setUp()
        self.table = self.run_json("help")["commands"]

    def test_overview(self):
        text = self.run_command("--help").stdout
        self.assertEqual(text, self.run_command("help").stdout)
        self.assertEqual(text, self.run_command("-h").stdout)
        for command in self.table:
            self.assertIn(command["name"], text)
        self.assert_plain(text)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()))

    def test_each_command(self):
        for command in self.table:
            name = command["name"]
            text = self.run_command("help", name).stdout
            self.assertEqual(text, self.run_command(name, "--help").stdout)
            for word in ("Usage", "Options", "Examples", "Exit status"):
                self.assertIn(word, text)
            for option in command["options"]:
                self.assertIn("--" + option["name"], text)

    def test_version(self):
        self.assertRegex(self.run_command("--version").stdout, r"^cordage \d+\.\d+\.\d+\n$")
        self.assertEqual(self.run_command("--version").stdout, self.run_command("-V").stdout)

    def test_nothing_asked(self):
        self.assertIn("Usage", self.run_command(status=2).stderr)

    def test_man_page_is_up_to_date(self):
        with open(os.path.join(SOURCE, "docs", "cordage.1"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.run_command("help", "--man").stdout,
                             "docs/cordage.1 is old: cordage help --man > docs/cordage.1")

    def test_documentation_names_every_option(self):
        with open(os.path.join(SOURCE, "docs", "cli.md"), encoding="utf-8") as file:
            text = file.read()
        for command in self.table:
            section = text.split(f"\n## cordage {command['name']}\n")
            self.assertEqual(len(section), 2, command["name"])
            for option in command["options"]:
                self.assertIn("--" + option["name"], section[1].split("\n## ")[0] + text.split("\n## ")[0])

    def test_completion(self):
        script = self.run_command("completion", "bash").stdout

        def complete(*words):
            probe = script + "\nCOMP_WORDS=(" + " ".join(f"'{word}'" for word in words) + ")\n" \
                f"COMP_CWORD={len(words) - 1}\n_cordage\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
            environment = dict(os.environ, PATH=os.path.dirname(COMMAND) + ":" + os.environ["PATH"])
            return subprocess.run(["bash", "-c", probe], cwd=self.directory, env=environment, check=True, text=True,
                                  stdout=subprocess.PIPE).stdout.split()

        self.assertEqual(complete("cordage", "che"), ["check"])
        self.assertEqual(complete("cordage", "run", "--th"), ["--threads"])
        self.assertEqual(complete("cordage", "run", "sce"), ["scene.yaml"])
        self.assertEqual(complete("cordage", "run", "x", "--model", ""), ["pobd", "corde", "reference", "der", "galpha"])
        self.assertEqual(complete("cordage", "validate", "free_fa"), ["free_fall"])
        self.assertEqual(complete("cordage", "bench", "step_dir"), ["step_direct"])
        self.assertEqual(complete("cordage", "help", "compl"), ["completion"])
        self.run_command("completion", "tcsh", status=2)


class Mistakes(CommandCase):
    def test_suggestions(self):
        for arguments, words in ((("rum",), ("'rum'", "'run'")),
                                 (("chekc", "scene.yaml"), ("'check'",)),
                                 (("xyzzy",), ("cordage help",)),
                                 (("--versoin",), ("'--version'",)),
                                 (("help", "rnu"), ("'run'",)),
                                 (("run", "--tread", "2", "scene.yaml"), ("'--threads'",)),
                                 (("run", "scene.yaml", "--threads", "two"), ("whole number", "'two'")),
                                 (("run", "scene.yaml", "--threads"), ("--threads N",)),
                                 (("run", "scene.yaml", "--json=1"), ("no value",)),
                                 (("run", "scene.yaml", "other.yaml"), ("'other.yaml'",)),
                                 (("run",), ("needs a scene",)),
                                 (("check",), ("needs a scene",)),
                                 (("info",), ("needs an argument",)),
                                 (("run", "--resume", "a", "-o", "b"), ("--output",)),
                                 (("run", "--resume", "a", "--set", "a=b"), ("--set",)),
                                 (("validate", "free_fal"), ("'free_fall'",)),
                                 (("validate", "--wrong", "bendd=2"), ("bend",)),
                                 (("bench", "step_direkt"), ("'step_direct'",))):
            result = self.run_command(*arguments, status=2)
            self.assertEqual(result.stdout, "", arguments)
            for word in words:
                self.assertIn(word, result.stderr, arguments)
            self.assert_plain(result.stderr)

    def test_no_such_scene(self):
        for command in ("run", "check", "info"):
            self.assertIn("absent.yaml", self.run_command(command, "absent.yaml", status=2).stderr)
            self.assertIn("cordage examples", self.run_command(command, "zzzzz", status=2).stderr)
            self.assertFalse(self.run_json(command, "absent.yaml", status=2).get("ok", False))

    def test_full_standard_output(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = self.run_command("help", status=1, stdout=full)
        self.assertIn("standard output", result.stderr)


class Diagnostics(CommandCase):
    BAD = """cordage: 1
simulation: {duration: 1 s}
materials:
  rubber: {young_modul: 1 MPa, density: 1100 kg/m^3}   # größer
rods:
  - name: cable
    material: rubber
    section: {circle: {radius: 2 MPa}}
    centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}
"""

    def test_place_line_and_caret(self):
        self.write("bad.yaml", self.BAD)
        for command in ("check", "run", "info"):
            text = self.run_command(command, "bad.yaml", status=2).stderr
            self.assertIn("bad.yaml:4:12: error: unknown key 'young_modul'", text)
            self.assertIn("did you mean 'young_modulus'?", text)
            self.assertIn("bad.yaml:8:32: error: ", text)
            self.assertIn("2 errors", text)
            lines = text.splitlines()
            for number, column in ((4, 12), (8, 32)):
                shown = next(i for i, line in enumerate(lines) if line.startswith(f"{number:5} | "))
                source = self.BAD.splitlines()[number - 1]
                self.assertEqual(lines[shown], f"{number:5} | {source}")
                self.assertEqual(lines[shown + 1], "      | " + " " * (column - 1) + "^")
            self.assert_plain(text)
        self.assertEqual(os.listdir(self.directory).count("bad-run"), 0)

    def test_json(self):
        self.write("bad.yaml", self.BAD)
        for command in ("check", "run", "info"):
            document = self.run_json(command, "bad.yaml", status=2)
            self.assertEqual([(item["line"], item["column"]) for item in document["diagnostics"]], [(4, 12), (8, 32)])
            self.assertEqual({item["severity"] for item in document["diagnostics"]}, {"error"})

    def test_override(self):
        self.assertIn("element", self.run_command("check", "scene.yaml", "--set", "rods.cable.element=3", status=2).stderr)
        self.assertIn("pobd", self.run_command("check", "scene.yaml", "--model", "pobb", status=2).stderr)

    def test_warnings_and_quiet(self):
        thick = ("--set", "rods.cable.section={circle: {radius: 0.2 m}}")
        self.assertIn("warning:", self.run_command("check", "scene.yaml", *thick).stderr)
        self.assertIn("warning:", self.run_command("run", "scene.yaml", *thick).stderr)
        self.assertIn("warning:", self.run_command("run", "scene.yaml", "--quiet", *thick).stderr)  # doubts are told
        self.assertEqual(self.run_command("run", "scene.yaml", "-o", "calm", "--quiet", "--set", "simulation.duration=20ms").stderr, "")

    def test_control_characters_do_not_reach_the_terminal(self):
        self.write("bad.yaml", self.BAD.replace("young_modul:", "young\\x1b[31m:").replace("größer", "\t\x01"))
        self.assert_plain(self.run_command("check", "bad.yaml", status=2).stderr)


class Check(CommandCase):
    def test_report(self):
        text = self.run_command("check", "scene.yaml").stdout
        for word in ("no errors", "cable", "50 mm", "2 mm", "advised step", "200", "21", "memory", "run.h5"):
            self.assertIn(word, text)
        document = self.run_json("check", "scene.yaml")
        self.assertTrue(document["ok"])
        self.assertEqual(document["steps"], 200)
        self.assertEqual(document["outputs"], 21)
        rod = document["rods"][0]
        self.assertEqual((rod["name"], rod["elements"], rod["nodes"]), ("cable", 20, 21))
        self.assertAlmostEqual(rod["element_length"], 0.05)
        self.assertAlmostEqual(rod["slenderness"], 250)
        self.assertGreater(document["advised_step"], 0)
        for word in ("limited by", "stretch", "twist", "elements", "measured here", "in all"):
            self.assertIn(word, text)
        self.assertEqual(document["limited_by"], "bend")
        self.assertEqual(document["time_basis"], "measured")
        self.assertGreater(document["time_seconds"], 0)
        self.assertGreater(document["motions"]["bend"]["longest"], document["motions"]["bend"]["shortest"])
        self.assertGreaterEqual(document["rods"][0]["recommended_elements"], 1)
        self.assertEqual(sorted(os.listdir(self.directory)), ["scene.yaml"], "check writes nothing")

    def test_file_size_estimate(self):
        estimate = self.run_json("check", "scene.yaml", "--set", "contact=off")["file_bytes"]
        self.run_command("run", "scene.yaml", "--quiet", "--set", "contact=off")
        size = os.path.getsize(self.path("scene-run", "run.h5"))
        self.assertLess(abs(size - estimate), 50000 + 0.05 * size)
        # how many contacts there will be is not known: room for many is counted, and not used here
        most = self.run_json("check", "scene.yaml")["file_bytes"]
        self.run_command("run", "scene.yaml", "--quiet", "-o", "touching")
        self.assertLess(os.path.getsize(self.path("touching", "run.h5")), most + 50000)
        self.assertLess(estimate, most)

    def test_set(self):
        document = self.run_json("check", "scene.yaml", "--set", "rods.cable.elements=7", "--set", "simulation.step=2ms")
        self.assertEqual(document["rods"][0]["elements"], 7)
        self.assertEqual(document["steps"], 100)

    def test_contact_at_the_start(self):
        with open(self.path("scene.yaml"), encoding="utf-8") as file:
            scene = file.read()
        for height, status in (("-10.5 mm", 0), ("-9.5 mm", 2)):
            self.write("ball.yaml", scene + f"obstacles:\n  - {{name: ball, sphere: {{radius: 8 mm}}, position: [25 cm, 0, {height}]}}\n")
            said = self.run_command("check", "ball.yaml", status=status).stderr
            self.assertEqual("m deep in obstacle 'ball', at (" in said, status == 2, said)

    def test_reference(self):
        text = self.run_command("check", "--reference").stdout
        for word in ("young_modulus", "duration", "clamp", "radius"):
            self.assertIn(word, text)

    def test_standard_input(self):
        text = self.run_command("check", "-", input=self.read("scene.yaml")).stdout
        self.assertIn("no errors", text)
        text = self.run_command("check", "-", input="cordage: 1\nrod: 2\n", status=2).stderr
        self.assertIn("standard input:2:", text)

    def test_a_scene_may_be_json(self):
        self.write("scene.json", '{"cordage": 1, "simulation": {"duration": "0.1 s"}, "rods": [{"name": "a", '
                   '"section": {"circle": {"radius": "1 mm"}}, "material": {"young_modulus": "1 MPa", "density": 1000}, '
                   '"centerline": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}, "elements": 5}]}')
        self.assertTrue(self.run_json("check", "scene.json")["ok"])


class Info(CommandCase):
    def test_scene(self):
        text = self.run_command("info", "scene.yaml").stdout
        for word in ("A cable swings", "cable", "12.57 N", "1.257e-05", "clamp", "tip", "1 support,"):
            self.assertIn(word, text)
        document = self.run_json("info", "scene.yaml")
        self.assertEqual(document["kind"], "scene")
        rod = document["rods"][0]
        self.assertAlmostEqual(rod["stretch_stiffness"], 12.566370614359172, places=9)
        self.assertAlmostEqual(rod["mass"], 0.013823007675795088, places=12)
        self.assertEqual(document["supports"], [{"kind": "clamp", "place": "cable.node(0)", "motions": 0}])
        self.assertEqual(document["probes"], [{"name": "tip", "kind": "position", "place": "cable.node(20)"}])

    def test_run(self):
        self.run_command("run", "scene.yaml", "--quiet")
        for argument in ("scene-run", "scene-run/run.h5", self.path("scene-run")):
            text = self.run_command("info", argument).stdout
            for word in ("A cable swings", "cable", "21 of 21 outputs", "kinetic"):
                self.assertIn(word, text)
            document = self.run_json("info", argument)
            self.assertEqual(document["kind"], "run")
            self.assertTrue(document["run"]["finished"])
            self.assertEqual(document["run"]["outputs"], 21)
        self.run_command("info", "scene-run", "--set", "a=b", status=2)

    def test_not_a_run(self):
        os.mkdir(self.path("empty"))
        self.assertIn("no run", self.run_command("info", "empty", status=2).stderr)
        self.assertFalse(self.run_json("info", "empty", status=2)["ok"])
        self.write("empty/run.h5", "no HDF5 at all")
        self.assertFalse(self.run_json("info", "empty", status=2)["ok"])
        self.assertFalse(self.run_json("info", "empty/run.h5", status=2)["ok"])


class Examples(CommandCase):
    def setUp(self):
        super().setUp()
        self.examples = self.run_json("examples")["examples"]

    def test_list(self):
        names = sorted(name[:-5] for name in os.listdir(os.path.join(SOURCE, "examples")) if name.endswith(".yaml"))
        self.assertEqual(sorted(item["name"] for item in self.examples), names)
        self.assertEqual(self.run_command("examples", "--names").stdout.split(), [item["name"] for item in self.examples])
        text = self.run_command("examples").stdout
        for item in self.examples:
            self.assertIn(item["name"], text)
            self.assertIn(item["title"], text)
            self.assertTrue(item["title"], item["name"])

    def test_write(self):
        for item in self.examples:
            name = item["name"] + ".yaml"
            self.run_command("examples", item["name"])
            with open(os.path.join(SOURCE, "examples", name), "rb") as file, open(self.path(name), "rb") as written:
                self.assertEqual(file.read(), written.read())
            self.write(name, "mine")
            self.assertIn("--force", self.run_command("examples", item["name"], status=2).stderr)
            self.assertEqual(self.read(name), "mine")
            self.run_command("examples", item["name"], "--force")
            self.assertNotEqual(self.read(name), "mine")

    def test_write_all(self):
        document = self.run_json("examples", "--all")
        self.assertEqual(sorted(document["written"]), sorted(item["name"] + ".yaml" for item in self.examples))
        self.run_command("examples", "--all", "x", status=2)

    def test_every_example_is_good(self):
        for item in self.examples:
            result = self.run_command("check", item["name"])
            if item["name"] == "suture":  # its threads are drawn tight, which is told of each
                self.assertEqual(result.stderr.count("longer than its rest centerline"), result.stderr.count("warning"))
                continue
            self.assertEqual(result.stderr, "", "examples have no warnings")
            self.run_command("info", item["name"])

    def test_unknown(self):
        self.assertIn("cordage examples", self.run_command("examples", "zzzzzz", status=2).stderr)
        for item in self.examples[:1]:
            wrong = item["name"][:-1] + "_"
            self.assertIn(f"'{item['name']}'", self.run_command("examples", wrong, status=2).stderr)
            self.assertFalse(os.path.exists(self.path(wrong + ".yaml")))

    def test_cannot_write(self):
        for item in self.examples[:1]:
            os.mkdir(self.path(item["name"] + ".yaml"))
            self.run_command("examples", item["name"], "--force", status=1)
