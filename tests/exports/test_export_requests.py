"""What is asked of the export command, rightly and wrongly; nothing half-written is ever left."""
import os
import shutil
import signal
import subprocess

from export_case import COMMAND, ExportCase, TIMEOUT

FORMATS = {"vtk": "many.pvd", "gltf": "many.glb", "usd": "many.usda", "csv": "many.csv", "html": "many.html"}


class Requests(ExportCase):
    def files(self):
        return sorted(os.listdir(self.directory))

    def refuse(self, *arguments, words=(), status=2):
        before = self.files()
        result = self.run_command("export", *arguments, status=status)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assert_plain(result.stderr)
        self.assertEqual(self.files(), before)

    def test_list(self):
        text = self.run_command("export", "--list").stdout
        names = self.run_command("export", "--list", "--quiet").stdout.split()
        self.assertEqual(names, list(FORMATS))
        document = self.run_json("export", "--list")
        self.assertEqual([item["name"] for item in document["formats"]], names)
        for item in document["formats"]:
            self.assertIn(item["extension"], text)
        help_text = self.run_command("help", "export").stdout
        for name in names:
            self.assertIn(name, help_text)

    def test_default_place_is_the_run(self):
        run = self.path("copy")
        shutil.copytree(self.run_directory, run)
        for name in FORMATS:
            document = self.run_json("export", "copy", "--to", name, "--frames", "0:2")
            self.assertEqual(document["outputs"], 3)
            self.assertEqual(document["format"], name)
            for file in document["files"]:
                self.assertTrue(os.path.exists(self.path(file)), file)
            self.assertGreater(document["bytes"], 1000)
        self.assertEqual(sorted(set(os.listdir(run)) - set(os.listdir(self.run_directory))),
                         ["many", "many.glb", "many.html", "many.pvd", "many.usda", "many_elements.csv", "many_nodes.csv"])
        self.run_command("info", "copy")  # is still a run

    def test_run_file_itself_and_directories(self):
        os.mkdir(self.path("out"))
        file = os.path.join(self.run_directory, "run.h5")
        self.run_command("export", file, "--to", "gltf", "-o", "out", "--every", "30")
        self.run_command("export", file, "--to", "gltf", "-o", "out/", "--every", "30")
        self.assertEqual(os.listdir(self.path("out")), ["many.glb"])
        for _ in range(2):  # the second time a folder of that name is there
            self.run_command("export", file, "--to", "vtk", "-o", "series", "--every", "30")
        self.assertEqual(self.files(), ["out", "scene.yaml", "series", "series.pvd"])

    def test_quiet(self):
        result = self.run_command("export", self.run_directory, "-o", "a.glb", "--quiet", "--frames", "0:1")
        self.assertEqual(result.stdout + result.stderr, "")

    def test_wrong_requests(self):
        run = self.run_directory
        self.refuse(words=("needs a run",))
        self.refuse(run, words=("vtk, gltf, usd, csv, html",))
        self.refuse(run, "--to", "gtlf", words=("'gtlf'", "'gltf'"))
        self.refuse(run, "--to", "glb", words=("'gltf'",))
        self.refuse(run, "--to", "zzzzzz", words=("vtk, gltf, usd, csv, html",))
        self.refuse(run, "-o", "film", words=("which format",))
        self.refuse(run, "--to", "gltf", "-o", "a.usda", words=("a.usda", ".glb"))
        self.refuse(run, "-o", "a.gltf", words=("a.gltf", ".glb"))
        self.refuse(run, "-o", "a.glb", "--frames", "31", words=("0 to 30", "31"))
        self.refuse(run, "-o", "a.glb", "--frames", "5:99", words=("0 to 30", "99"))
        self.refuse(run, "-o", "a.glb", "--frames", "9:5", words=("smaller",))
        for text in ("x", "1:x", "-1:3", "1:2:3", "1 2", "1.5", "99999999999999999999", ":::", "1-3"):
            self.refuse(run, "-o", "a.glb", f"--frames={text}", words=("A:B", text))
        self.refuse(run, "-o", "a.glb", "--every", "0", words=("--every",))
        self.refuse(run, "-o", "a.usda", "--stripe", words=("--stripe",))

    def test_wrong_runs(self):
        for name in FORMATS:
            self.refuse("nowhere", "--to", name, words=("nowhere",))
            self.refuse(".", "--to", name, words=("run.h5",))
            self.refuse("scene.yaml", "--to", name, words=("scene.yaml",))
        with open(os.path.join(self.run_directory, "run.h5"), "rb") as file:
            data = file.read()
        for part in (0, 0.001, 0.5, 0.9):
            os.makedirs(self.path("cut"), exist_ok=True)
            with open(self.path("cut", "run.h5"), "wb") as file:
                file.write(data[:int(part * len(data))])
            for name in FORMATS:
                before = sorted(os.listdir(self.path("cut")))
                self.refuse("cut", "--to", name, words=("run.h5",))
                self.assertEqual(sorted(os.listdir(self.path("cut"))), before)

    def test_unwritable_places(self):
        for file in FORMATS.values():
            self.refuse(self.run_directory, "-o", "absent/" + file, words=("absent", "does not exist"))
            self.refuse(self.run_directory, "-o", "scene.yaml/" + file, words=("scene.yaml",))
            self.refuse(self.run_directory, "-o", "/proc/" + file, words=("/proc/",))
        os.mkdir(self.path("many.glb"))
        self.write("many.glb/x", "")
        os.mkdir(self.path("out"))
        self.write("out/many", "a file where the folder should be")
        self.refuse(self.run_directory, "-o", "out/many.pvd", words=("out/many",))

    def test_full_disk(self):
        """A limit on file sizes stands for it: the old export stays, nothing else."""
        def limit():
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
        for name, file in FORMATS.items():
            self.run_command("export", self.run_directory, "-o", file, "--frames", "0")
            before = {path: os.stat(self.path(path)).st_mtime_ns for path in self.files()}
            result = self.run_command("export", self.run_directory, "-o", file, status=1, preexec_fn=limit)
            self.assertIn("cannot write", result.stderr, name)
            self.assertEqual({path: os.stat(self.path(path)).st_mtime_ns for path in self.files()}, before, name)

    def test_interrupt(self):
        for file in FORMATS.values():
            self.run_command("run", "scene.yaml", "-o", "long", "--quiet", "--set", "simulation.duration=20",
                             "--set", "simulation.step=10ms") if not os.path.exists(self.path("long")) else None
            process = subprocess.Popen([COMMAND, "export", "long", "-o", file], cwd=self.directory,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=TIMEOUT)
            self.assertIn(process.returncode, (0, 1, -signal.SIGINT), error)
            if process.returncode != 0:
                self.assertFalse([name for name in self.files() if name not in ("long", "scene.yaml")], file)
            else:
                for name in self.files():
                    if name not in ("long", "scene.yaml"):
                        shutil.rmtree(self.path(name)) if os.path.isdir(self.path(name)) else os.remove(self.path(name))
