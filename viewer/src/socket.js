// The server's messages (docs/view-protocol.md), and the way back. A page that falls behind gets fewer pictures: it
// acknowledges each that it has drawn.
import { Emitter } from "./emitter.js";
import { readPicture } from "./protocol.js";

const WAITS = [0.3, 1, 2, 5]; // s, between attempts to connect again

export class Connection extends Emitter {
  constructor(place) {
    super();
    const token = new URLSearchParams(place.search).get("token");
    this.address = `${place.protocol === "https:" ? "wss" : "ws"}://${place.host}/socket${token ? `?token=${encodeURIComponent(token)}` : ""}`;
    this.attempts = 0;
    this.latest = null;
  }

  start() {
    this.socket = new WebSocket(this.address, "cordage.1");
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.attempts = 0;
      this.emit("connection", { isOpen: true });
    };
    this.socket.onmessage = (event) => this.#read(event.data);
    this.socket.onclose = () => {
      this.emit("connection", { isOpen: false });
      setTimeout(() => this.start(), 1000 * WAITS[Math.min(this.attempts++, WAITS.length - 1)]);
    };
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #read(data) {
    if (typeof data === "string") {
      const message = JSON.parse(data);
      this.emit(message.type, message);
      return;
    }
    const picture = readPicture(data);
    if (!picture) return;
    if (this.latest) this.send({ type: "ack", index: this.latest.index }); // it was overtaken
    this.latest = picture;
  }

  // Called before each drawing: only the newest picture is shown.
  tick() {
    if (!this.latest) return;
    const picture = this.latest;
    this.latest = null;
    this.emit("picture", picture);
    this.send({ type: "ack", index: picture.index });
  }
}
