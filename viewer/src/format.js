// Numbers and times as people read them.
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// Three digits, without an exponent where that is short.
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace("e+", "e").replaceAll("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// "12.3 mN": the unit's prefix takes the exponent. Powers and quotients keep their unit.
export function quantity(value, unit) {
  if (!Number.isFinite(value)) return "–";
  if (!unit || unit === "1") return number(value);
  if (!["N", "J", "m", "s", "Pa", "Hz", "W", "N*m"].includes(unit) || value === 0) return `${number(value)} ${pretty(unit)}`;
  const [scale, prefix] = PREFIXES.find(([size]) => Math.abs(value) >= size) ?? PREFIXES[PREFIXES.length - 1];
  return `${number(value / scale)} ${prefix}${pretty(unit)}`;
}

export const pretty = (unit) => unit.replace("*", "·").replace("^2", "²").replace("^3", "³").replace(/^1$/, "");

export function seconds(value, span = value) {
  const digits = span >= 100 ? 1 : span >= 10 ? 2 : 3;
  return `${value.toFixed(digits)} s`;
}
