// What hands did, picture and film: the server writes the files and says where. A page without a server saves its own picture.
import { $, tell } from "./dom.js";

export class Recorder {
  constructor(viewer, source) {
    this.viewer = viewer;
    this.source = source;
    $("record").onclick = () => source.send({ type: "record", action: "save" });
    $("picture").onclick = () => this.picture();
    $("film").onclick = () => source.send({ type: "film", camera: viewer.orbit.describe() });
  }

  setHello(hello) {
    this.isAlone = !hello.can || Object.keys(hello.can).length === 0;
    $("save").hidden = false;
    $("record").hidden = !hello.can?.record;
    $("film").hidden = this.isAlone;
  }

  picture() {
    if (!this.isAlone) {
      this.source.send({ type: "picture", camera: this.viewer.orbit.describe() });
      return;
    }
    this.viewer.isOld = true;
    this.viewer.draw(); // the buffer is only there right after drawing
    this.viewer.canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = "cordage.png";
      link.click();
      URL.revokeObjectURL(link.href);
      tell("Saved as cordage.png.");
    });
  }

  saved({ what, path }) {
    $("saved").textContent = `The ${what} is in ${path}.`;
  }
}
