// The keyboard: everything that buttons and mouse do with view and time.
export function listenToKeys({ viewer, transport, look, panel, hands, pointer, source }) {
  const turn = (x, y) => (event) => (event.shiftKey ? viewer.orbit.pan(-0.06 * x, -0.06 * y) : viewer.orbit.rotate(0.12 * x, 0.12 * y));
  const actions = {
    " ": () => transport.toggle(),
    ".": () => transport.step(1),
    ",": () => transport.step(-1),
    ">": () => transport.step(10),
    "<": () => transport.step(-10),
    Home: () => transport.jump(false),
    End: () => transport.jump(true),
    "[": () => transport.changeSpeed(-1),
    "]": () => transport.changeSpeed(1),
    ArrowLeft: turn(-1, 0),
    ArrowRight: turn(1, 0),
    ArrowUp: turn(0, -1),
    ArrowDown: turn(0, 1),
    "+": () => viewer.orbit.zoom(0.88),
    "=": () => viewer.orbit.zoom(0.88),
    "-": () => viewer.orbit.zoom(1 / 0.88),
    f: () => viewer.fit(),
    v: () => viewer.resetView(),
    c: () => look.nextField(1),
    C: () => look.nextField(-1),
    t: () => look.toggleTheme(),
    p: () => hands.pin() || panel.toggle(),
    x: () => hands.cut(pointer.at.x, pointer.at.y),
    X: () => hands.setCutting(!hands.isCutting),
    Escape: () => (hands.isCutting ? hands.setCutting(false) : hands.releaseAll()),
    Delete: () => hands.releaseAll(),
    "?": () => panel.showKeys(),
  };
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && event.target.tagName !== "TEXTAREA") {
      source.send({ type: "undo" });
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isField = event.target.matches?.("select, textarea, input");
    if (isField && (event.key !== "Escape" && (event.key !== " " || event.target.type !== "range"))) return;
    if (event.target.matches?.("button") && [" ", "Enter"].includes(event.key)) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
