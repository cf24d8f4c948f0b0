// Binary pictures of the server: a heading and blocks of single-precision numbers (docs/view-protocol.md).

export const BLOCK = {
  positions: 1,
  frames: 2,
  values: 3,
  contacts: 4,
  bodies: 5,
  obstacles: 6,
  hands: 7,
  solids: 8,
  range: 9,
};

const MAGIC = 0x31474443; // "CDG1"

// Returns {epoch, index, time, blocks: Map of id to Float32Array}; null when the bytes are no picture.
export function readPicture(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 24 || view.getUint32(0, true) !== MAGIC) return null;
  const picture = {
    epoch: view.getUint32(4, true),
    index: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    blocks: new Map(),
  };
  let at = 24;
  for (let left = view.getUint32(12, true); left > 0; left--) {
    if (at + 8 > buffer.byteLength) return null;
    const id = view.getUint32(at, true);
    const count = view.getUint32(at + 4, true);
    at += 8;
    if (at + 4 * count > buffer.byteLength) return null;
    picture.blocks.set(id, new Float32Array(buffer, at, count));
    at += 4 * count;
  }
  return picture;
}

export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
