"""cordage view from outside: the page, who is let in, pictures, time, slow clients, many clients."""
import gzip
import http.client
import os
import re
import signal
import unittest

from command_case import CommandCase
from socket_client import Client, Refused

THREAD = """cordage: 1
title: A thread
simulation: {duration: 1 s, step: 2 ms, model: pobd}
materials:
  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}
contact: {friction: 0.2}
rods:
  - name: thread
    material: rubber
    section: {circle: {radius: 2 mm}}
    centerline: {line: {from: [0, 0, 0], to: [0.5 m, 0, 0]}}
    elements: 30
supports:
  - clamp: thread.start
probes:
  - {name: tip, position: thread.end}
"""


class ViewCase(CommandCase):
    def view(self, *arguments, scene=THREAD):
        """Starts the server; returns the process, its port and its address."""
        self.write("thread.yaml", scene)
        process = self.start("view", *(arguments or ("thread.yaml",)), "--no-browser")
        address = process.stdout.readline().strip()
        match = re.fullmatch(r"http://[^/]*:(\d+)/(\?token=[0-9a-f]{32})?", address)
        self.assertTrue(match, address or process.stderr.read())
        return process, int(match[1]), address

    def client(self, port, **options):
        client = Client(port, **options)
        self.addCleanup(client.close)
        return client


class Page(ViewCase):
    def get(self, port, path="/", host=None, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1000)
        self.addCleanup(connection.close)
        connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
        answer = connection.getresponse()
        return answer, answer.read()

    def test_page_is_served_compressed(self):
        _, port, _ = self.view()
        answer, body = self.get(port)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.getheader("content-encoding"), "gzip")
        self.assertIn("default-src 'none'", answer.getheader("content-security-policy"))
        self.assertIn("cordage", gzip.decompress(body).decode().lower())

    def test_nothing_else_is_served(self):
        _, port, _ = self.view()
        for path in ("/index.html", "/thread.yaml", "/../thread.yaml", "/%2e%2e/etc/passwd", "/socket"):
            self.assertIn(self.get(port, path)[0].status, (403, 404), path)
        self.assertEqual(self.get(port, method="POST")[0].status // 100, 4)

    def test_foreign_host_is_refused(self):
        _, port, _ = self.view()
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", "127.0.0.1"):
            self.assertEqual(self.get(port, host=host)[0].status, 403, host)
        self.assertEqual(self.get(port, host=f"localhost:{port}")[0].status, 200)


class Gate(ViewCase):
    def test_foreign_origin_and_host_are_refused(self):
        _, port, _ = self.view()
        self.client(port, origin=f"http://127.0.0.1:{port}").wait_for("hello")
        for wrong in ({"origin": "http://evil.example"}, {"origin": "null"}, {"origin": f"https://127.0.0.1:{port}"},
                      {"origin": f"http://127.0.0.1:{port}.evil.example"}, {"host": f"evil.example:{port}"},
                      {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"},
                      {"path": "/"}, {"path": "/other"}, {"protocol": None}, {"protocol": "cordage.2"}):
            with self.assertRaises(Refused, msg=str(wrong)):
                Client(port, **wrong)

    def test_token_is_asked_for_beyond_the_loopback(self):
        _, port, address = self.view("thread.yaml", "--listen", "0.0.0.0")
        token = address.split("?token=")[1]
        self.client(port, path=f"/socket?token={token}").wait_for("hello")
        for path in ("/socket", "/socket?token=", f"/socket?token={token[:-1]}", f"/socket?token={'0' * 32}",
                     f"/socket?token={token}0", f"/socket?other={token}"):
            with self.assertRaises(Refused, msg=path):
                Client(port, path=path)

    def test_ports(self):
        _, first, _ = self.view()
        _, second, _ = self.view()
        self.assertNotEqual(first, second)
        result = self.run_command("view", "thread.yaml", "--no-browser", "--port", str(first), status=1)
        self.assertIn(f"port {first}", result.stderr)
        result = self.run_command("view", "thread.yaml", "--no-browser", "--listen", "192.0.2.1", status=2)
        self.assertIn("192.0.2.1", result.stderr)

    def test_control_c_ends_cleanly(self):
        for arguments in (("thread.yaml",), ("thread.yaml", "--paused")):
            process, port, _ = self.view(*arguments)
            self.client(port).wait_for("picture")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=1000), 0)


class Pictures(ViewCase):
    def test_pictures_show_motion(self):
        _, port, _ = self.view()
        client = self.client(port)
        hello = client.wait_for("hello")
        self.assertEqual((hello["mode"], hello["title"], hello["step"]), ("live", "A thread", 0.002))
        self.assertIn("thread:", client.wait_for("text")["text"] + "thread:")
        world = client.wait_for("world")
        rod = world["rods"][0]
        self.assertEqual((rod["name"], rod["node_count"], rod["element_count"]), ("thread", 31, 30))
        self.assertEqual(rod["half1"], [0.002])
        self.assertEqual(client.wait_for("probes"), {"type": "probes", "names": ["tip_x", "tip_y", "tip_z"],
                                                     "units": ["m", "m", "m"]})
        first = client.wait_for("picture")
        self.assertEqual((len(first.blocks[1]), len(first.blocks[2])), (93, 120))
        later = client.wait_for("picture", check=lambda picture: picture.time > 0.1)
        self.assertEqual(later.epoch, world["epoch"])
        self.assertLess(later.node(30)[2], -0.01)
        self.assertAlmostEqual(later.node(0)[2], 0, places=6)
        status = client.wait_for("status")
        self.assertEqual(status["state"], "playing")
        sample = client.wait_for("sample", check=lambda sample: sample["time"] > 0.1)
        self.assertLess(sample["values"][2], -0.01)

    def test_pause_step_undo_reset_speed_colors(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        client = self.client(port)
        self.assertEqual(client.wait_for("status")["state"], "paused")
        client.send("step", count=7)
        picture = client.wait_for("picture", check=lambda picture: picture.time > 0.0139)
        self.assertAlmostEqual(picture.time, 0.014)
        client.send("color", field="tension", component=None)
        picture = client.wait_for("picture", check=lambda picture: 3 in picture.blocks)
        self.assertEqual(len(picture.blocks[3]), 31)
        self.assertGreater(picture.blocks[9][1], picture.blocks[9][0])
        client.send("play")
        client.wait_for("picture", check=lambda picture: picture.time > 0.05)
        client.send("undo")
        picture = client.wait_for("picture", check=lambda picture: picture.time < 0.02)
        self.assertAlmostEqual(picture.time, 0.014)
        epoch = picture.epoch
        client.send("reset")
        world = client.wait_for("world", check=lambda world: world["epoch"] != epoch)
        picture = client.wait_for("picture", check=lambda picture: picture.epoch == world["epoch"])
        self.assertEqual(picture.time, 0)
        client.send("speed", value=0.5)
        self.assertEqual(client.wait_for("status", check=lambda status: status["speed"] == 0.5)["state"], "paused")
        client.send("color", field="nonsense")
        self.assertIn("nonsense", client.wait_for("error")["message"])

    def test_what_is_not_a_request_is_refused(self):
        _, port, _ = self.view()
        client = self.client(port)
        for text in (b"", b"{", b"[]", b'{"type": "fly"}', b'{"type": "speed", "value": -1}', b"\xff\xfe",
                     b'{"type": "grab", "hand": 1e9}', b'{"type": "edit"}', b'{"type":"play"} {}'):
            client.send_frame(1, text)
            self.assertIn("message", client.wait_for("error"), text)
        client.send_frame(1, b'{"type": "play", "padding": "' + b"x" * 70000 + b'"}')
        self.assertIn("longer", client.wait_for("error")["message"])
        client.send_frame(1, b"x" * (1 << 20) + b"x")
        with self.assertRaises(ConnectionError):
            client.wait_for("never")
        self.client(port).wait_for("picture")


class Edit(ViewCase):
    def test_text_is_applied_or_its_errors_are_told_at_their_lines(self):
        _, port, _ = self.view("thread.yaml", "--paused", "--set", "rods.thread.elements=12")
        client = self.client(port)
        text = client.wait_for("text")
        self.assertEqual((text["text"], text["errors"]), (THREAD, []))
        epoch = client.wait_for("world")["epoch"]
        client.send("edit", text=THREAD.replace("radius: 2 mm", "radius: 2 parsec").replace("elements: 30", "elephants: 30"))
        errors = client.wait_for("text", check=lambda message: message["errors"])["errors"]
        lines = THREAD.splitlines()
        self.assertEqual({lines[error["line"] - 1].strip().split(":")[0] for error in errors}, {"section", "elements"})
        self.assertIn("errors", client.wait_for("error")["message"])
        client.send("edit", text=THREAD.replace("0.5 m", "0.8 m"))
        world = client.wait_for("world", check=lambda world: world["epoch"] != epoch)
        self.assertEqual(world["rods"][0]["element_count"], 12)
        self.assertAlmostEqual(world["bounds"]["max"][0], 0.8)
        client.wait_for("picture", check=lambda picture: picture.epoch == world["epoch"])

    def test_text_cannot_read_files_elsewhere_nor_break_the_server(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        client = self.client(port)
        mesh = "obstacles:\n  - {name: m, mesh: {file: /etc/passwd}}\n"
        for text in ("", "\x01", "[", THREAD + mesh, THREAD + mesh.replace("/etc", "../../../../../../../etc")):
            client.send("edit", text=text)
            client.wait_for("error")
        for name in ("/etc/passwd", "../secret.csv", "a/../../secret.csv", ".."):
            line = "line: {from: [0, 0, 0], to: [0.5 m, 0, 0]}"
            client.send("edit", text=THREAD.replace(line, f"file: {name}"))
            errors = client.wait_for("text", check=lambda message: message["errors"])["errors"]
            self.assertIn("not in the scene's folder", errors[0]["message"])
            client.wait_for("error")
        client.send("step", count=1)
        client.wait_for("picture", check=lambda picture: picture.time > 0)


class Hands(ViewCase):
    def test_a_hand_pulls_pins_and_lets_go(self):
        _, port, _ = self.view()
        client = self.client(port)
        client.wait_for("picture")
        client.send("grab", hand=2, object="rod", index=0, place=29.99, point=[0.45, 0, 0])
        self.assertEqual(client.wait_for("grabbed")["ok"], True)
        client.send("move", hand=2, point=[0.3, 0.1, 0.2], twist=0)
        picture = client.wait_for("picture", check=lambda picture: 7 in picture.blocks and picture.time > 0.7)
        hand, kind, x, y, z, *rest = picture.blocks[7]
        self.assertEqual((hand, kind, rest[-1]), (2, 0, 0))
        for got, wanted in zip((x, y, z), (0.3, 0.1, 0.2)):
            self.assertAlmostEqual(got, wanted, delta=0.01)
        self.assertGreater(rest[5], 0)  # it carries weight
        client.send("pin", hand=2)
        picture = client.wait_for("picture", check=lambda picture: picture.blocks[7][11] == 1)
        client.send("release", hand=2)
        client.wait_for("picture", check=lambda picture: 7 not in picture.blocks)

    def test_hands_of_clients_that_vanish_let_go(self):
        _, port, _ = self.view()
        watcher, holder = self.client(port), self.client(port)
        for hand in (0, 1, 2):
            holder.send("grab", hand=hand, object="rod", index=0, place=10 * hand + 5, point=[0.1, 0.1, 0])
        holder.send("pin", hand=1)
        watcher.wait_for("picture", check=lambda picture: len(picture.blocks.get(7, [])) == 36 and picture.blocks[7][23] == 1)
        watcher.send("grab", hand=2, object="rod", index=0, place=3, point=[0.05, 0, 0])  # takes it over
        watcher.wait_for("grabbed", check=lambda message: message.get("place") == 3)
        holder.close()
        picture = watcher.wait_for("picture", check=lambda picture: len(picture.blocks.get(7, [])) == 24)
        self.assertEqual((picture.blocks[7][0], picture.blocks[7][12]), (1, 2))
        watcher.send("pin", hand=1)  # free again
        watcher.wait_for("picture", check=lambda picture: picture.blocks[7][11] == 0)

    def test_supports_and_obstacles_are_led_and_what_is_not_there_is_refused(self):
        _, port, _ = self.view(scene=THREAD + "obstacles:\n  - {name: ball, sphere: {radius: 3 cm}, position: [0, 0, -1]}\n")
        client = self.client(port)
        client.send("grab", hand=0, object="support", index=0, point=[0, 0, 0])
        self.assertTrue(client.wait_for("grabbed")["ok"])
        client.send("grab", hand=1, object="obstacle", index=0, place=[0, 0, 0.03], point=[0, 0, -0.97])
        self.assertTrue(client.wait_for("grabbed")["ok"])
        client.send("move", hand=0, point=[0, 0, 0.1])
        client.send("move", hand=1, point=[0.2, 0, -0.97])
        picture = client.wait_for("picture", check=lambda picture: picture.node(0)[2] > 0.0999)
        picture = client.wait_for("picture", check=lambda picture: picture.blocks[6][0] > 0.1999)
        self.assertAlmostEqual(picture.blocks[6][2], -1, places=5)
        for wrong in ({"object": "rod", "index": 7, "place": 0}, {"object": "rod", "index": 0, "place": 99},
                      {"object": "body", "index": 0, "place": [0, 0, 0]}, {"object": "support", "index": 9}):
            client.send("grab", hand=3, point=[0, 0, 0], **wrong)
            self.assertFalse(client.wait_for("grabbed")["ok"], wrong)
        client.send("move", hand=9, point=[0, 0, 0])
        self.assertIn("holds nothing", client.wait_for("error")["message"])


class Controls(ViewCase):
    SCENE = THREAD + """controls:
  - {path: materials.rubber.young_modulus, label: stiffness, unit: MPa, min: 0.1, max: 500, value: 1}
  - {path: rods.thread.elements, min: 5, max: 50, value: 30}
"""

    def test_sliders_act_while_it_runs_or_build_anew(self):
        _, port, _ = self.view("thread.yaml", "--paused", scene=self.SCENE)
        client = self.client(port)
        items = client.wait_for("controls")["items"]
        self.assertEqual([(item["label"], item["live"], item["value"]) for item in items],
                         [("stiffness", True, 1), ("rods.thread.elements", False, 30)])
        client.send("step", count=50)
        soft = client.wait_for("picture", check=lambda picture: picture.time > 0.0999)
        client.send("control", index=0, value=400)
        items = client.wait_for("controls")["items"]
        self.assertEqual(items[0]["value"], 400)
        stiff = client.wait_for("picture", check=lambda picture: picture.epoch != soft.epoch)
        self.assertAlmostEqual(stiff.time, soft.time)  # the state stays
        self.assertEqual(stiff.blocks[1], soft.blocks[1])
        client.send("step", count=100)
        stiff = client.wait_for("picture", check=lambda picture: picture.time > 0.2999)
        client.send("control", index=1, value=1e9)  # bounded by its range
        fine = client.wait_for("picture", check=lambda picture: picture.epoch != stiff.epoch)
        self.assertEqual((fine.time, len(fine.blocks[1])), (0, 3 * 51))
        client.send("control", index=7, value=1)
        self.assertIn("no such control", client.wait_for("error")["message"])
        client.send("step", count=10)  # what was set holds from the beginning of the world that was built anew
        client.wait_for("picture", check=lambda picture: picture.time > 0.0199)
        client.send("control", index=0, value=50)
        client.send("step", count=10)
        client.wait_for("picture", check=lambda picture: picture.time > 0.0399)
        client.send("record", action="save")
        saved = os.path.join(self.directory, client.wait_for("saved")["path"])
        with open(saved, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("set:\n  - 'materials.rubber.young_modulus=400 MPa'\n  - 'rods.thread.elements=50'\n", text)
        self.assertIn("s, set: 'materials.rubber.young_modulus=50 MPa'}", text)


class Record(ViewCase):
    def step_to(self, client, count, time):
        client.send("step", count=count)
        return client.wait_for("sample", check=lambda sample: abs(sample["time"] - time) < 1e-9)

    def test_what_hands_did_runs_again_to_the_same_bits(self):
        for model in ("pobd", "der", "corde"):
            scene = THREAD.replace("model: pobd", f"model: {model}")
            _, port, _ = self.view("thread.yaml", "--paused", scene=scene)
            client = self.client(port)
            client.send("record", action="start")
            self.step_to(client, 5, 0.01)
            client.send("grab", hand=0, object="rod", index=0, place=17.3, point=[0.29, 0.001, 0])
            self.step_to(client, 8, 0.026)
            client.send("move", hand=0, point=[0.25, 0.031, 0.0471])
            client.send("grab", hand=1, object="rod", index=0, place=18.1, point=[0.3, 0, 0.02])
            self.step_to(client, 20, 0.066)
            client.send("move", hand=0, point=[0.25, 0.04, 0.05], twist=0.7)
            self.step_to(client, 30, 0.126)
            client.send("release", hand=0)
            self.step_to(client, 100, 0.326)
            client.send("pause")
            client.send("play")   # a mark to come back to
            client.send("grab", hand=3, object="rod", index=0, place=3, point=[0, 0, 0.3])
            client.wait_for("status", check=lambda status: status["state"] == "playing")
            client.send("undo")
            client.wait_for("sample", check=lambda sample: abs(sample["time"] - 0.326) < 1e-9)
            client.send("record", action="save")
            self.assertEqual((saved := client.wait_for("saved"))["what"], "scene")
            live = self.step_to(client, 37, 0.4)["values"]
            self.run_command("run", saved["path"], "-q", "-o", f"again-{model}")
            rows = [line.split(",") for line in self.read(f"again-{model}", "probes.csv").splitlines()[1:]]
            again = [[float(cell) for cell in row[1:4]] for row in rows if abs(float(row[0]) - 0.4) < 1e-9][0]
            self.assertEqual(live, again, model)
            self.run_command("run", "thread.yaml", "-q", "-o", f"without-{model}", "-f")
            self.assertNotEqual(self.read(f"without-{model}", "probes.csv"), self.read(f"again-{model}", "probes.csv"))

    def test_hands_that_gave_way_run_again_to_the_same_bits(self):
        """A ball is led at the clamped end, where nothing can yield, and then aside."""
        scene = THREAD + "obstacles:\n  - {name: ball, sphere: {radius: 3 cm}, position: [-1 cm, 0, 6 cm]}\n"
        _, port, _ = self.view("thread.yaml", "--paused", scene=scene)
        client = self.client(port)
        client.send("record", action="start")
        client.send("grab", hand=0, object="obstacle", index=0, place=[0, 0, 0], point=[-0.01, 0, 0.06])
        client.send("move", hand=0, point=[-0.01, 0, -0.06])
        self.step_to(client, 100, 0.2)
        picture = client.wait_for("picture", check=lambda picture: picture.time > 0.1999)
        self.assertGreater(picture.blocks[6][2], 0.03)  # on this side still
        client.send("move", hand=0, point=[-0.09, 0, 0.06])
        self.step_to(client, 40, 0.28)
        client.send("record", action="save")
        saved = client.wait_for("saved")
        live = self.step_to(client, 60, 0.4)["values"]
        self.run_command("run", saved["path"], "-q", "-o", "again")
        rows = [line.split(",") for line in self.read("again", "probes.csv").splitlines()[1:]]
        again = [[float(cell) for cell in row[1:4]] for row in rows if abs(float(row[0]) - 0.4) < 1e-9][0]
        self.assertEqual(live, again)

    def test_pictures_and_films_are_drawn_of_live_scenes(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        client = self.client(port)
        self.step_to(client, 5, 0.01)
        client.send("grab", hand=0, object="rod", index=0, place=17.3, point=[0.29, 0.001, 0])
        client.send("move", hand=0, point=[0.25, 0.031, 0.0471])
        self.step_to(client, 20, 0.05)
        camera = {"eye": [0.2, -1, 0.2], "at": [0.15, 0, 0], "up": [0, 0, 1], "fov": 0.6}
        client.send("picture", camera=camera)
        saved = client.wait_for("saved")
        self.assertEqual((saved["what"], os.path.basename(saved["path"])), ("picture", "thread-view-1.png"))
        self.assertGreater(os.path.getsize(os.path.join(self.directory, saved["path"])), 1000)
        client.send("film", camera=camera)
        self.assertEqual(client.wait_for("saved")["what"], "scene")
        saved = client.wait_for("saved", check=lambda saved: saved["what"] == "film")
        self.assertEqual(saved["path"].split("/")[-2:], ["thread-hands-1-run", "view-2.mp4"])
        self.assertGreater(os.path.getsize(os.path.join(self.directory, saved["path"])), 1000)
        self.run_command("info", "thread-hands-1-run")  # the run is there, too

    def test_what_did_not_last_for_a_step_is_not_recorded(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        client = self.client(port)
        client.send("grab", hand=0, object="support", index=0, point=[0, 0, 0])
        client.send("record", action="save")
        client.wait_for("saved")
        self.assertEqual(self.read("thread-hands-1.yaml"), THREAD)
        os.remove(self.path("thread-hands-1.yaml"))
        client.send("record", action="start")
        client.send("record", action="save")
        client.wait_for("saved")
        self.assertEqual(self.read("thread-hands-1.yaml"), THREAD)


class Replay(ViewCase):
    def test_runs_are_shown_again_with_seeking(self):
        self.write("thread.yaml", THREAD)
        self.run_command("run", "thread.yaml", "-q", "-o", "first")
        self.run_command("run", "thread.yaml", "-q", "-o", "second", "--set", "rods.thread.elements=20")
        rows = [[float(cell) for cell in line.split(",")] for line in self.read("first", "probes.csv").splitlines()[1:]]
        times, tips = [row[0] for row in rows], [row[1:4] for row in rows]
        _, port, _ = self.view("first", "second", "--paused")
        client = self.client(port)
        hello = client.wait_for("hello")
        self.assertEqual((hello["mode"], len(hello["runs"]), hello["duration"]), ("replay", 2, 1))
        world = client.wait_for("world")
        self.assertEqual([rod["run"] for rod in world["rods"]], [0, 1])
        self.assertEqual(len(world["times"]), len(times))
        self.assertEqual(client.wait_for("probes")["names"], ["tip_x", "tip_y", "tip_z"])
        for frame in (31, 50, 3, 0):
            client.send("seek", time=times[frame])
            picture = client.wait_for("picture", check=lambda picture: abs(picture.time - times[frame]) < 1e-9)
            self.assertEqual(len(picture.blocks[1]), 3 * (31 + 21))
            for got, wanted in zip(picture.node(30), tips[frame]):
                self.assertAlmostEqual(got, wanted, places=6)
        client.send("color", field="velocities", component="norm")
        client.wait_for("picture", check=lambda picture: len(picture.blocks.get(3, ())) == 52)
        client.send("speed", value=100)
        client.send("play")
        client.wait_for("status", check=lambda status: status["state"] == "finished")
        client.send("grab", hand=0, object="rod", index=0, place=0, point=[0, 0, 0])
        self.assertIn("shown again", client.wait_for("error")["message"])

    def test_a_picture_is_drawn_by_render(self):
        self.write("thread.yaml", THREAD)
        self.run_command("run", "thread.yaml", "-q", "-o", "first")
        _, port, _ = self.view("first", "--paused")
        client = self.client(port)
        client.send("picture", camera={"eye": [0, -2, 0], "at": [0, 0, 0], "up": [0, 0, 1], "fov": 0.5})
        saved = client.wait_for("saved")
        self.assertEqual(saved["what"], "picture")
        with open(self.path(saved["path"]), "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")

    def test_compared_runs_are_shown_one_over_the_other(self):
        self.write("thread.yaml", THREAD)
        process = self.start("compare", "thread.yaml", "-v", "coarse:rods.thread.elements=10", "-v", "fine:", "--against",
                             "fine", "--no-pictures", "--view", "--no-browser", "--quiet")
        match = re.fullmatch(r"http://[^/]*:(\d+)/", process.stdout.readline().strip())
        client = self.client(int(match[1]))
        self.assertEqual([os.path.basename(run) for run in client.wait_for("hello")["runs"]], ["fine", "coarse"])
        self.assertEqual([rod["element_count"] for rod in client.wait_for("world")["rods"]], [30, 10])
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 0)

    def test_what_is_no_run_is_refused(self):
        os.mkdir(self.path("empty"))
        self.assertIn("empty", self.run_command("view", "empty", "--no-browser", status=2).stderr)


class Load(ViewCase):
    @staticmethod
    def memory(process):
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1])

    def test_a_slow_client_has_two_pictures_at_most(self):
        process, port, _ = self.view()
        slow, quick = self.client(port), self.client(port)
        pictures = 0
        quick.wait_for("picture")
        before = self.memory(process)
        start = quick.wait_for("picture")
        quick.wait_for("picture", check=lambda picture: picture.time > start.time + 1)
        self.assertLess(self.memory(process) - before, 4000)
        quick.send("pause")
        quick.wait_for("status", check=lambda status: status["state"] == "paused")
        slow.send("speed", value=0.25)  # its last status comes after all pictures that were sent before
        while True:
            message = slow.receive()
            pictures += not isinstance(message, dict)
            if isinstance(message, dict) and message.get("speed") == 0.25:
                break
        self.assertEqual(pictures, 2)
        slow.send("step", count=1)
        slow.send("ack", index=2 ** 31 - 1)
        self.assertGreater(slow.wait_for("picture").time, start.time + 1)

    def test_ten_clients_see_the_same(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        clients = [self.client(port) for _ in range(10)]
        clients[3].send("step", count=5)
        seen = {client.wait_for("picture", check=lambda picture: picture.time > 0.0099).blocks[1] for client in clients}
        self.assertEqual(len(seen), 1)

    def test_connections_come_and_go_in_flat_memory(self):
        process, port, _ = self.view("thread.yaml", "--paused")
        count = int(os.environ.get("CORDAGE_VIEW_CONNECTIONS", "1000"))
        for i in range(count):
            if i == count // 5:
                before = self.memory(process)
            client = Client(port)
            if i % 3 == 0:
                client.receive()
            if i % 3 == 1:
                client.send_frame(1, b'{"type": "pl', is_last=False)
            client.close()
        self.client(port).wait_for("picture")
        self.assertLess(self.memory(process) - before, 2000)

    def test_there_are_not_endlessly_many(self):
        _, port, _ = self.view("thread.yaml", "--paused")
        clients = [self.client(port) for _ in range(64)]
        for client in clients:
            client.wait_for("hello")
        with self.assertRaises((ConnectionError, Refused)):
            self.client(port).receive()


if __name__ == "__main__":
    unittest.main()
