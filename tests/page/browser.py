"""A headless Chromium, driven over a pipe with its own protocol: no port, no further package."""
import atexit
import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]
# As on a machine without a graphics processor: pages are put together by the processor, WebGL is drawn by SwiftShader.
FLAGS = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
         "--enable-unsafe-swiftshader", "--no-first-run", "--disable-extensions", "--disable-background-networking",
         "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"]


def find():
    """The path of a Chromium, or None."""
    for name in NAMES:
        path = shutil.which(os.environ.get("CORDAGE_CHROMIUM", name))
        if path:
            return path
    return None


_shared = []


def shared():
    """One Chromium for all tests: starting it takes longest."""
    if not _shared:
        _shared.append(Browser(900, 600))
        atexit.register(_shared[0].close)
    return _shared[0]


class Browser:
    """One process, one page. Replies come in a thread of their own, so that events are never lost."""

    def __init__(self, width=1280, height=720, timeout=1000):
        self.timeout = timeout
        self.profile = tempfile.mkdtemp(prefix="cordage-chromium-")
        to_child, self.writer = os.pipe()
        self.reader, from_child = os.pipe()

        def give_pipes():  # the protocol's pipes are descriptors 3 and 4
            first, second = os.dup(to_child), os.dup(from_child)
            os.dup2(first, 3)
            os.dup2(second, 4)

        command = [find(), *FLAGS, f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=give_pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.changed = threading.Condition()
        self.number, self.replies, self.events, self.session = 0, {}, [], None
        threading.Thread(target=self._listen, daemon=True).start()
        target = next(t for t in self._wait_for_targets() if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(domain + ".enable")
        self.resize(width, height)

    def _wait_for_targets(self):
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            targets = self.send("Target.getTargets")["targetInfos"]
            if any(t["type"] == "page" for t in targets):
                return targets
            time.sleep(0.05)
        raise AssertionError("Chromium opened no page")

    def _listen(self):
        rest = b""
        while True:
            try:
                data = os.read(self.reader, 1 << 20)
            except OSError:
                return
            if not data:
                return
            *texts, rest = (rest + data).split(b"\0")
            with self.changed:
                for text in texts:
                    message = json.loads(text)
                    if "id" in message:
                        self.replies[message["id"]] = message
                    else:
                        self.events.append(message)
                self.changed.notify_all()

    def send(self, method, **parameters):
        """Asks and waits for the answer."""
        with self.changed:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.replies, self.timeout):
                raise AssertionError(f"Chromium did not answer {method} within {self.timeout} s")
            reply = self.replies.pop(number)
        if "error" in reply:
            raise AssertionError(f"{method}: {reply['error']['message']}")
        return reply["result"]

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
            self.process.wait(10)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- the page

    def resize(self, width, height, scale=1, is_touch=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_touch)

    def block_network(self, is_blocked=True):
        """Nothing that is not a file can be loaded."""
        self.send("Network.setBlockedURLs", urls=["http://*", "https://*", "ws://*", "wss://*"] if is_blocked else [])
        self.send("Network.emulateNetworkConditions", offline=is_blocked, latency=0, downloadThroughput=-1,
                  uploadThroughput=-1)

    def processes(self):
        """Numbers of all that this Chromium consists of."""
        found = [self.process.pid]
        children = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
            except OSError:
                continue  # it has just ended
        for pid in found:
            found.extend(children.get(pid, []))
        return found

    def open(self, address):
        with self.changed:
            self.events.clear()
        self.send("Page.navigate", url=address)

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression, timeout=None):
        """Until an expression is true."""
        end = time.monotonic() + (timeout or self.timeout)
        while time.monotonic() < end:
            try:
                value = self.evaluate(expression)
            except AssertionError as error:
                if "cordage" not in str(error) and "null" not in str(error):
                    raise
                value = None
            if value:
                return value
            time.sleep(0.01)
        raise AssertionError(f"never true: {expression}; the page said {self.complaints()}")

    def complaints(self):
        """Errors and warnings of the page's console, and exceptions."""
        found = []
        with self.changed:
            for event in self.events:
                parameters = event.get("params", {})
                if event["method"] == "Runtime.exceptionThrown":
                    found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
                elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                    found.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
                elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                    found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """Addresses that the page asked for."""
        with self.changed:
            return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path=None):
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, points, button="left", modifiers=0):
        (x, y), *rest = points
        buttons = {"left": 1, "right": 2}[button]
        self.mouse("mouseMoved", x, y, modifiers=modifiers)
        self.mouse("mousePressed", x, y, button=button, buttons=buttons, clickCount=1, modifiers=modifiers)
        for x, y in rest:
            self.mouse("mouseMoved", x, y, button=button, buttons=buttons, modifiers=modifiers)
        self.mouse("mouseReleased", x, y, button=button, buttons=0, clickCount=1, modifiers=modifiers)

    def key(self, key, text=None, modifiers=0):
        code = {" ": "Space"}.get(key, key)
        more = {"text": text or key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, modifiers=modifiers, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, modifiers=modifiers)
