"""cordage sweep: the same table whoever does the cases; nothing finished is lost; a crash costs one case."""
import csv
import os
import shutil
import signal
import subprocess
import time

from command_case import COMMAND, SOURCE, TIMEOUT, CommandCase

BEAM = """cordage: 1
title: A cantilever
simulation: {mode: static, model: der, gravity: [0, 0, -9.81]}
materials: {steel: {young_modulus: 200 GPa, poisson_ratio: 0.3, density: 7850}}
rods:
  - {name: beam, material: steel, section: {circle: {radius: 2 mm}}, centerline: {line: {to: [0.5, 0, 0]}}, elements: 20}
supports: [{clamp: beam.start}]
loads: [{force: [0, 0, -1 N], at: beam.end}]
probes: [{name: tip, position: beam.end}, {name: hold, reaction: beam.start}]
"""
GRID = ["-v", "E: materials.steel.young_modulus=50:300:6 GPa (log)", "-v", "load: loads.0.force.2=-1:-4:4 N"]
PROBES = ["-p", "tip_z,hold_my"]


class Sweep(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("beam.yaml", BEAM)

    def sweep(self, directory, *arguments, **options):
        return self.run_command("sweep", "beam.yaml", *GRID, *PROBES, "-o", directory, *arguments, **options)

    def rows(self, directory):
        with open(self.path(directory, "table.csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_table_and_theory(self):
        result = self.sweep("out")
        self.assertIn("24 cases done", result.stdout)
        rows = self.rows("out")
        self.assertEqual(len(rows), 24)
        self.assertEqual(list(rows[0]), ["case", "E [GPa]", "load [N]", "tip_z [m]", "hold_my [N*m]", "outcome", "reason"])
        area_moment, weight = 3.14159265 / 4 * 2e-3**4, 3.14159265 * 2e-3**2 * 7850 * 9.81
        for row in rows:
            stiffness, load = float(row["E [GPa]"]) * 1e9 * area_moment, -float(row["load [N]"])
            small = load * 0.5**3 / (3 * stiffness) + weight * 0.5**4 / (8 * stiffness)
            if small < 0.03:  # theory of small deflections
                self.assertAlmostEqual(-float(row["tip_z [m]"]) / small, 1, delta=0.01)
        # a case is what `run` makes of it
        self.run_command("run", "beam.yaml", "-q", "-o", "one", "--set", "materials.steel.young_modulus=50 GPa", "--set",
                         "loads.0.force.2=-1 N")
        last = self.read("one", "probes.csv").splitlines()[-1].split(",")
        self.assertEqual(float(last[3]), float(rows[0]["tip_z [m]"]))
        for name in ("charts.svg", "charts.png", "map_1.png", "map_2.svg", "report.html", "table.h5"):
            self.assertGreater(os.path.getsize(self.path("out", name)), 1000)

    def test_same_table(self):
        self.sweep("one", "--threads", "1", "-q")
        table = self.read("one", "table.csv")
        for directory, arguments in (("many", ["--threads", "3"]), ("apart", ["--processes", "2"]),
                                     ("kept", ["--processes", "2", "--keep-runs"])):
            self.sweep(directory, *arguments, "-q")
            self.assertEqual(self.read(directory, "table.csv"), table)
        self.assertTrue(os.path.exists(self.path("kept", "runs", "000023", "run.h5")))

    def test_kill_and_resume(self):
        self.sweep("whole", "-q")
        shutil.copytree(self.path("whole"), self.path("cut"))
        lines = self.read("whole", "journal.txt").splitlines(keepends=True)
        # killed after 9 cases, in the middle of a line
        self.write("cut/journal.txt", "".join(lines[:10]) + lines[10][:17])
        os.remove(self.path("cut", "table.csv"))
        self.assertIn("--resume", self.sweep("cut", status=2).stderr)
        document = self.run_json("sweep", "beam.yaml", *GRID, *PROBES, "-o", "cut", "--resume")
        self.assertEqual((document["done"], document["done_before"], document["complete"]), (24, 9, True))
        self.assertEqual(self.read("cut", "table.csv"), self.read("whole", "table.csv"))
        self.assertTrue(self.read("cut", "journal.txt").startswith("".join(lines[:10])))
        # another sweep is not mixed in
        result = self.run_command("sweep", "beam.yaml", *GRID, "-p", "tip_x", "-o", "cut", "--resume", status=2)
        self.assertIn("another sweep", result.stderr)

    def test_files_that_vary_belong_to_the_sweep(self):
        self.write("a.csv", "0,0,0\n0.5,0,0\n")
        self.write("b.csv", "0,0,0\n0.4,0,0\n")
        files = ["sweep", "beam.yaml", "-v", "rods.beam.centerline={file: a.csv}, {file: b.csv}", "-p", "tip_z", "-q", "-o", "files"]
        self.run_command(*files)
        self.run_command(*files, "--resume")
        self.write("b.csv", "0,0,0\n0.3,0,0\n")
        self.assertIn("another sweep", self.run_command(*files, "--resume", status=2).stderr)

    def test_variables_that_cannot_be(self):
        one = "E: materials.steel.young_modulus=100, 200 GPa"
        for wrong, reason in ((["-v", one, "-v", "F: materials.steel.young_modulus=50 GPa"], "both set"),
                              (["-v", "materials.steel.young_modulus=100 GPa, 200"], "has a unit and '200' has none"),
                              (["-v", one.replace("E:", "tip_z:")], "a variable and a probe")):
            result = self.run_command("sweep", "beam.yaml", *wrong, "-p", "tip_z", "-o", "wrong", status=2)
            self.assertIn(reason, result.stderr)
            self.assertFalse(os.path.exists(self.path("wrong", "journal.txt")))

    def wait_for_cases(self, process, directory, count):
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if self.read(directory, "journal.txt").count("\n") > count:
                    return
            except FileNotFoundError:
                pass
            time.sleep(0.01)
        self.fail(f"ended before {count} cases: {process.communicate()}")

    def long_sweep(self, directory):
        """Cases of some tenths of a second each."""
        return ["sweep", "scene.yaml", "--set", "simulation.duration=3 s", "-v",
                "materials.rubber.young_modulus=1:2:8 MPa", "-o", directory]

    def test_kill_nine(self):
        process = self.start(*self.long_sweep("killed"), "--threads", "1")
        self.wait_for_cases(process, "killed", 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = self.read("killed", "journal.txt").count("\n") - 1
        document = self.run_json(*self.long_sweep("killed"), "--resume")
        self.assertEqual((document["done"], document["failed"]), (8, 0))
        self.assertEqual(document["done_before"], before)

    def test_crash_costs_one_case(self):
        process = self.start(*self.long_sweep("crash"), "--processes", "1", "--json")
        self.wait_for_cases(process, "crash", 2)
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        for task in os.listdir(f"/proc/{process.pid}/task"):  # threads start them
            with open(f"/proc/{process.pid}/task/{task}/children", encoding="ascii") as file:
                children += file.read().split()
        self.assertTrue(children)
        os.kill(int(children[0]), signal.SIGSEGV)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0)
        failed = [row for row in self.rows("crash") if row["outcome"] == "failed"]
        self.assertEqual(len(failed), 1)
        self.assertIn("signal 11", failed[0]["reason"])

    def test_interrupt(self):
        process = self.start(*self.long_sweep("stop"), "--threads", "1")
        self.wait_for_cases(process, "stop", 1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("--resume", errors)
        self.assertTrue(any(row["outcome"] == "missing" for row in self.rows("stop")))

    def test_failures_are_rows(self):
        result = self.run_command("sweep", "beam.yaml", "-v", "rods.beam.elements=8, 0, 16", "-o", "out")
        self.assertIn("2 cases done", result.stdout)
        self.assertIn("case 1 failed", result.stdout)
        rows = self.rows("out")
        self.assertEqual([row["outcome"] for row in rows], ["done", "failed", "done"])
        self.assertIn("rods.beam.elements", rows[1]["reason"])
        self.assertEqual(rows[1]["tip_z [m]"], "")

    def test_file(self):
        os.mkdir(self.path("plan"))
        self.write("plan/beam.yaml", BEAM)
        self.write("plan/sweep.yaml", "sweep: 1\nscene: beam.yaml\nvary:\n  E: {path: materials.steel.young_modulus, "
                   "values: \"50:300:6 GPa (log)\"}\n  load: {path: loads.0.force.2, values: \"-1:-4:4 N\"}\n"
                   "probes: [tip_z, hold_my]\noutput: from-file\n")
        self.run_command("sweep", "plan/sweep.yaml", "-q")
        self.sweep("out", "-q")
        self.assertEqual(self.read("from-file", "table.csv"), self.read("out", "table.csv"))

    def test_modes(self):
        scene = BEAM.replace("mode: static,", "mode: static, modes: 2,").replace("gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]")
        self.write("ring.yaml", scene.replace("loads: [{force: [0, 0, -1 N], at: beam.end}]\n", ""))
        vary = ["-v", "E: materials.steel.young_modulus=50, 200 GPa"]
        self.run_command("sweep", "ring.yaml", *vary, "-p", "tip_z,modes", "-q", "-o", "out")
        rows = self.rows("out")
        self.assertEqual(list(rows[0])[1:5], ["E [GPa]", "tip_z [m]", "beam_mode_1 [Hz]", "beam_mode_2 [Hz]"])
        first = [float(row["beam_mode_1 [Hz]"]) for row in rows]
        self.assertAlmostEqual(first[1] / first[0], 2, delta=1e-6)  # as the root of the stiffness
        stiffness, mass = 200e9 * 2e-3**2 / 4, 7850
        self.assertAlmostEqual(first[1] / (1.8751**2 / (6.2831853 * 0.5**2) * (stiffness / mass) ** 0.5), 1, delta=0.01)
        self.run_command("sweep", "ring.yaml", *vary, "-q", "--keep-runs", "-o", "kept")
        self.assertEqual([float(row["beam_mode_1 [Hz]"]) for row in self.rows("kept")], first)
        # a case with other columns is a row that says so
        self.run_command("sweep", "ring.yaml", "-v", "simulation.modes=2, 3", "-q", "-o", "other")
        self.assertEqual([row["outcome"] for row in self.rows("other")], ["done", "failed"])
        self.assertIn("columns", self.rows("other")[1]["reason"])
        # rates are those of probes alone
        self.run_command("sweep", "ring.yaml", *vary, "-p", "tip_x,modes", "--gradient", "-q", "-o", "rates")
        titles = list(self.rows("rates")[0])
        self.assertIn("tip_x_per_E [m/GPa]", titles)
        self.assertFalse([title for title in titles if "mode" in title and "_per_" in title])

    def test_samples(self):
        arguments = ["sweep", "beam.yaml", "-v", "materials.steel.young_modulus=50:300 GPa", "--samples", "12", *PROBES]
        self.run_command(*arguments, "-o", "a", "-q")
        self.run_command(*arguments, "-o", "b", "-q")
        self.run_command(*arguments, "-o", "c", "-q", "--seed", "2")
        self.assertEqual(self.read("a", "table.csv"), self.read("b", "table.csv"))
        self.assertNotEqual(self.read("a", "table.csv"), self.read("c", "table.csv"))

    def test_refusals(self):
        for arguments, reason in ((["-v", "materials.steel.yung=1, 2"], "yung"), (["-v", "a"], "PATH=VALUES"), ([], "nothing varies"),
                                  (["-v", "rods.beam.elements=4:8"], "--samples"), ([*GRID, "-p", "tipp"], "did you mean 'tip'"),
                                  ([*GRID, "--method", "best"], "grid, latin or random"),
                                  ([*GRID, "--samples", "3"], "write the range alone")):
            result = self.run_command("sweep", "beam.yaml", *arguments, "-o", "never", status=2)
            self.assertIn(reason, result.stderr)
        self.assertFalse(os.path.exists(self.path("never")))
        for place in ("beam.yaml", "beam.yaml/below"):  # a mistake of the request's, not of the run's
            result = self.run_command("sweep", "beam.yaml", *GRID, "-o", place, status=2)
            self.assertIn("beam.yaml is a file, not a directory", result.stderr)

    def launcher(self):
        """mpirun, and the environment in which it starts."""
        launcher = shutil.which("mpirun")
        if not launcher or not os.path.exists(os.path.join(os.path.dirname(COMMAND), "cordage_mpi.so")):
            self.skipTest("MPI is not installed")
        return launcher, dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def rank(self, launcher, number):
        """The process of a rank."""
        with open(f"/proc/{launcher}/task/{launcher}/children", encoding="ascii") as file:
            for child in map(int, file.read().split()):
                with open(f"/proc/{child}/environ", "rb") as variables:
                    if f"OMPI_COMM_WORLD_RANK={number}".encode() in variables.read().split(b"\0"):
                        return child
        return self.fail(f"no rank {number}")

    def start_ranks(self, directory):
        launcher, environment = self.launcher()
        process = subprocess.Popen([launcher, "--oversubscribe", "-n", "3", COMMAND, *self.long_sweep(directory), "--threads", "1"],
                                   cwd=self.directory, env=environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_cases(process, directory, 2)
        return process

    def check_resumed(self, directory):
        before = self.read(directory, "journal.txt").count("\n") - 1
        self.assertGreaterEqual(before, 2)
        document = self.run_json(*self.long_sweep(directory), "--resume")
        self.assertEqual((document["done"], document["failed"], document["done_before"]), (8, 0, before))

    def test_dead_rank(self):
        # OpenMPI kills all ranks at once when one dies, so what to do then is said before. Nothing finished is lost.
        process = self.start_ranks("dead")
        os.kill(self.rank(process.pid, 2), signal.SIGKILL)
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("3 ranks; should one die, MPI ends them all, and the same command with --resume goes on", errors)
        self.check_resumed("dead")

    def test_silent_rank(self):
        # A job that is to end, with a rank that does not answer: rank 0 does not wait for it.
        process = self.start_ranks("silent")
        os.kill(self.rank(process.pid, 2), signal.SIGSTOP)
        os.kill(self.rank(process.pid, 0), signal.SIGTERM)
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(errors, r"silent: stopped after \d of 8 cases; --resume goes on")
        self.check_resumed("silent")

    def test_slurm_script(self):
        # The script as bash reads it, with a srun that starts what it is given, as two ranks where there is MPI.
        script = os.path.join(SOURCE, "examples", "sweep", "sweep.slurm")
        subprocess.run(["bash", "-n", script], check=True)
        launcher = shutil.which("mpirun")
        start = f'exec {launcher} --oversubscribe -n 2 "$@"' if launcher else 'exec "$@"'
        os.mkdir(self.path("bin"))
        os.symlink(COMMAND, self.path("bin", "cordage"))
        self.write("bin/srun", f"#!/bin/bash\n{start}\n")
        os.chmod(self.path("bin", "srun"), 0o755)
        self.write("sweep.yaml", "sweep: 1\nscene: beam.yaml\nvary: {rods.beam.elements: '5, 10, 20'}\nprobes: [tip_z]\n")
        environment = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"], SLURM_SUBMIT_DIR=self.directory,
                           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        for _ in range(2):  # submitted again, it finds everything done
            result = subprocess.run(["bash", script], cwd=self.directory, env=environment, text=True, capture_output=True,
                                    stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(len(self.rows("beam-sweep")), 3)
        self.assertEqual(self.read("beam-sweep", "journal.txt").count("\n"), 4)

    def test_ranks(self):
        launcher, environment = self.launcher()
        self.sweep("alone", "-q")
        for ranks in (1, 3):
            result = subprocess.run([launcher, "--oversubscribe", "-n", str(ranks), COMMAND, "sweep", "beam.yaml", *GRID,
                                     *PROBES, "-o", f"ranks{ranks}"], cwd=self.directory, env=environment, text=True,
                                    stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertEqual(result.stdout.count("24 cases done"), 1)
            self.assertEqual(self.read(f"ranks{ranks}", "table.csv"), self.read("alone", "table.csv"))
        # what is refused is said once, and no rank waits for the others for ever
        result = subprocess.run([launcher, "--oversubscribe", "-n", "2", COMMAND, "sweep", "beam.yaml", "-v", "rods.beam.elments=3, 4"],
                                cwd=self.directory, env=environment, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=TIMEOUT, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(result.stderr.count("did you mean 'elements'"), 1)
