// The colours of `cordage render` (src/fields/color_map.c): straight or bent lines in Oklab (Ottosson 2020), so that
// equal steps of a value are equal steps for the eye. Everything is linear light.
const DEGREE = Math.PI / 180;

function labToLinear(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isShown = (rgb) => rgb.every((value) => value >= -1e-9 && value <= 1 + 1e-9);

// Less chroma where the screen has not that much. `hue` in degrees.
export function fromLch(lightness, chroma, hue) {
  const at = (c) => labToLinear(lightness, c * Math.cos(hue * DEGREE), c * Math.sin(hue * DEGREE));
  let rgb = at(chroma);
  if (!isShown(rgb)) {
    let low = 0;
    let high = chroma;
    for (let i = 0; i < 30; i++) {
      const middle = (low + high) / 2;
      if (isShown(at(middle))) low = middle;
      else high = middle;
    }
    rgb = at(low);
  }
  return rgb.map((value) => Math.min(1, Math.max(0, value)));
}

const rising = (t) => fromLch(0.3 + 0.61 * t, 0.145 - 0.06 * Math.sin(Math.PI * t) + 0.03 * t, 310 - 205 * t);

function diverging(t) {
  const side = Math.abs(2 * t - 1);
  return fromLch(0.72 - 0.28 * side, 0.17 * Math.sin((Math.PI / 2) * Math.min(1, 1.15 * side)), t < 0.5 ? 255 : 30);
}

export const MAP_SIZE = 256;
const makeMap = (color) => Array.from({ length: MAP_SIZE }, (_, i) => color(i / (MAP_SIZE - 1)));
const maps = {};

// Values of both signs get two hues about a pale zero.
export function mapFor([low, high]) {
  const isAboutZero = low < 0 && high > 0 && Math.abs(low + high) < 0.5 * (high - low);
  const name = isAboutZero ? "diverging" : "rising";
  maps[name] ??= makeMap(isAboutZero ? diverging : rising);
  return maps[name];
}

// "#rrggbb" as three numbers in [0, 1], sRGB.
export const fromHex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);

export const toLinear = (encoded) => (encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4);
export const toScreen = (linear) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);

export const css = (rgb) => `rgb(${rgb.map((value) => Math.round(255 * toScreen(value))).join(" ")})`;

// The map as a gradient for the legend.
export function cssGradient(map, direction) {
  const stops = Array.from({ length: 17 }, (_, i) => css(map[Math.round((i * (MAP_SIZE - 1)) / 16)]));
  return `linear-gradient(${direction}, ${stops.join(", ")})`;
}
