// Puts the page together: a source of pictures (a run inside of the page, or the server), the view, and the controls.
import { Charts } from "./charts.js";
import { Connection } from "./socket.js";
import { Controls } from "./controls.js";
import { Editor } from "./editor.js";
import { Hands } from "./hands.js";
import { Look } from "./look.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { Quality } from "./quality.js";
import { Recorder } from "./recorder.js";
import { Recording } from "./recording.js";
import { Transport } from "./transport.js";
import { Viewer } from "./viewer.js";
import { $, say, tell } from "./dom.js";
import { listenToKeys } from "./keys.js";

function begin() {
  const source = Recording.find() ?? new Connection(window.location);
  const viewer = new Viewer($("view"));
  const charts = new Charts($("probes"), $("charts"));
  const transport = new Transport(source);
  const look = new Look(viewer, source);
  const panel = new Panel(viewer);
  const hands = new Hands(viewer, source);
  const pointer = new Pointer(viewer, hands);
  const controls = new Controls(source);
  const editor = new Editor(source);
  const recorder = new Recorder(viewer, source);
  const quality = new Quality(viewer, transport);
  listenToKeys({ viewer, transport, look, panel, hands, pointer, source });

  source.on("connection", ({ isOpen }) => say(isOpen ? null : "The connection to cordage is lost; trying again …", !isOpen));
  source.on("hello", (hello) => {
    $("title").textContent = hello.title || hello.file || "Cordage";
    document.title = `${hello.title || hello.file || "Cordage"} – Cordage`;
    panel.hasHands = !!hello.can?.grab;
    viewer.fitsRun = hello.mode !== "live";
    for (const part of [transport, look, hands, recorder]) part.setHello(hello);
  });
  source.on("world", (world) => {
    viewer.setWorld(world);
    transport.setTimes(world.times);
    look.setWorld(world);
    const elements = world.rods.reduce((sum, rod) => sum + rod.element_count, 0);
    const count = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
    $("subtitle").textContent = [count(world.rods.length, "rod"), count(elements, "element")].join(", ");
  });
  source.on("picture", (picture) => {
    if (!viewer.setPicture(picture)) return;
    hands.setPicture(picture);
    transport.setTime(picture.time);
    charts.setTime(picture.time);
    look.update();
  });
  source.on("status", (status) => {
    transport.setStatus(status);
    if (status.message) tell(status.message, status.state === "failed");
  });
  source.on("probes", (probes) => charts.setProbes(probes));
  source.on("history", (history) => charts.setHistory(history));
  source.on("sample", (sample) => charts.add(sample));
  source.on("controls", (message) => controls.set(message));
  source.on("text", (message) => editor.set(message));
  source.on("grabbed", (message) => {
    hands.grabbed(message);
    if (!message.ok && message.message) tell(message.message, true);
  });
  source.on("error", (message) => tell(message.message, true));
  source.on("saved", (message) => recorder.saved(message));

  new ResizeObserver(() => viewer.resize()).observe(viewer.canvas);
  viewer.resize();
  let before = performance.now();
  const frame = (now) => {
    requestAnimationFrame(frame);
    if (!viewer.isReady()) return;
    const seconds = Math.min(0.25, (now - before) / 1000);
    before = now;
    source.tick(seconds);
    quality.before();
    if (viewer.draw()) {
      hands.placeLabels();
      quality.after();
    }
    charts.draw();
  };
  requestAnimationFrame(frame);
  source.start();
  window.cordage = { viewer, source, hands, quality, transport, charts }; // for tests, and for the curious
}

try {
  begin();
} catch (error) {
  say(`This browser cannot show the scene: ${error.message}. It needs WebGL 2.`, true);
  console.error(error);
}
