// The pictures of a self-contained page: chunks of 16-bit codes, deflated, each of which is unpacked when it is needed
// (src/export/html_pack.c packs them).
import { bytesOf } from "./protocol.js";

const CHUNKS_KEPT = 24;

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Undoes the differences along the rod and in time; returns codes, one component after the other.
function readCodes(bytes, at, components, count, before) {
  const total = components * count;
  const codes = new Uint16Array(total);
  for (let k = 0; k < components; k++) {
    let move = 0;
    for (let i = k * count; i < (k + 1) * count; i++) {
      const folded = bytes[at + i] | (bytes[at + total + i] << 8);
      move = (move + ((folded >> 1) ^ -(folded & 1))) & 0xffff;
      codes[i] = move + (before ? before[i] : 0);
    }
  }
  return codes;
}

export class Pictures {
  #chunks = new Map(); // index to promise of an array of pictures, each an array of codes by block
  #ready = new Map(); // index to the array itself

  // `describe` is {count, per_chunk, blocks}; `texts` are the chunks in base64.
  constructor(describe, texts) {
    this.count = describe.count;
    this.blocks = describe.blocks;
    this.perChunk = describe.per_chunk;
    this.texts = texts;
  }

  chunkOf(picture) {
    return Math.floor(picture / this.perChunk);
  }

  isReady(picture) {
    return this.#ready.has(this.chunkOf(picture));
  }

  // Resolves when the picture's chunk is there.
  fetch(picture) {
    const index = this.chunkOf(picture);
    if (!this.#chunks.has(index)) {
      this.#chunks.set(index, this.#unpack(index));
      if (this.#chunks.size > CHUNKS_KEPT) this.#forget(index);
    }
    return this.#chunks.get(index);
  }

  #forget(keep) {
    let farthest = keep;
    for (const index of this.#chunks.keys()) {
      if (Math.abs(index - keep) > Math.abs(farthest - keep)) farthest = index;
    }
    this.#chunks.delete(farthest);
    this.#ready.delete(farthest);
  }

  async #unpack(index) {
    const bytes = await inflate(bytesOf(this.texts[index]));
    const view = new DataView(bytes.buffer);
    const pictures = [];
    let at = 0;
    const end = Math.min(this.perChunk, this.count - index * this.perChunk);
    for (let p = 0; p < end; p++) {
      const picture = [];
      this.blocks.forEach((block, b) => {
        let count = block.count;
        if (count === null) {
          count = view.getUint32(at, true);
          at += 4;
        }
        const before = block.count !== null && p > 0 ? pictures[p - 1][b] : null;
        picture.push(readCodes(bytes, at, block.components, count, before));
        at += 2 * block.components * count;
      });
      pictures.push(picture);
    }
    this.#ready.set(index, pictures);
    return pictures;
  }

  // Numbers of one block of a picture whose chunk is there, entry after entry, as the server would send them.
  numbers(picture, b, out) {
    const block = this.blocks[b];
    const codes = this.#ready.get(this.chunkOf(picture))[picture % this.perChunk][b];
    const count = codes.length / block.components;
    const values = out && out.length === codes.length ? out : new Float32Array(codes.length);
    for (let k = 0; k < block.components; k++) {
      const low = block.low[k];
      const step = block.step[k];
      for (let i = 0; i < count; i++) {
        const code = codes[k * count + i];
        values[i * block.components + k] = code === 0 ? NaN : low + (code - 1) * step;
      }
    }
    return values;
  }

  // What nearly all numbers of a field lie in, over all pictures.
  range(b) {
    return this.blocks[b].range;
  }
}
