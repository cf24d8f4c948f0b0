// Rods on the graphics processor: each instance is the piece of a rod between two nodes. Node positions, the values that
// colours show and element frames lie in textures; a cubic through the nodes carries the section's outline along.
import { COMMON, SHADOW, SURFACE } from "./shading.js";

const WIDTH = 1024; // of the textures
export const TEXTURE_WIDTH = WIDTH;

const PLACE = /* glsl */ `
in vec4 nodes;      // before, first, second, after; the ends repeat theirs
in vec4 elements;   // before, this, after; 1: of a closed rod's seam
in vec4 halves;     // along d1 and d2 at the first node, then at the second
in vec4 tint;       // linear colour; run
in float around;    // turns, in [0, 1]
uniform sampler2D nodeMap, frameMap;
uniform float thickness, pixel, leastPixels;
uniform vec3 runOffset;

vec4 fetch(sampler2D map, float index) {
  int i = int(index + 0.5);
  return texelFetch(map, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0);
}
vec3 turn(vec4 q, vec3 v) { // q is w x y z
  vec3 t = 2.0 * cross(q.yzw, v);
  return v + q.x * t + cross(q.yzw, t);
}
// The neighbour's frame, of the same sign; across a seam turned by half a turn when that is nearer, as in a band with
// half a turn in it, whose section looks the same then.
vec4 near(vec4 q, vec4 other) {
  float same = dot(q, other);
  if (elements.w > 0.5 && abs(same) < 0.70710678) {
    other = vec4(-other.w, other.z, -other.y, other.x); // times a half turn about d3
    same = dot(q, other);
  }
  return same < 0.0 ? -other : other;
}
struct Section { vec3 place, d1, d2, d3; vec2 halves; float value; };

Section sectionAt(float t, float distanceFactor) {
  vec4 n0 = fetch(nodeMap, nodes.x), n1 = fetch(nodeMap, nodes.y), n2 = fetch(nodeMap, nodes.z), n3 = fetch(nodeMap, nodes.w);
  vec3 chord = n2.xyz - n1.xyz;
  vec3 m1 = 0.5 * (n2.xyz - n0.xyz), m2 = 0.5 * (n3.xyz - n1.xyz);
  if (nodes.x == nodes.y) m1 = nodes.w == nodes.z ? chord : 1.5 * chord - 0.5 * m2;
  if (nodes.w == nodes.z) m2 = nodes.x == nodes.y ? chord : 1.5 * chord - 0.5 * m1;
  float s = 1.0 - t;
  Section section;
  section.place = n1.xyz + t * chord + s * t * (s * (m1 - chord) - t * (m2 - chord));
  vec3 slope = chord + (s * s - 2.0 * s * t) * (m1 - chord) - (2.0 * s * t - t * t) * (m2 - chord);
  vec4 q = fetch(frameMap, elements.y);
  section.d3 = dot(slope, slope) > 0.0 ? normalize(slope) : vec3(0.0, 0.0, 1.0);
  vec3 d1;
  if (dot(q, q) < 0.25) { // no frame is told: any will do
    vec3 helper = abs(section.d3.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
    d1 = cross(helper, section.d3);
  } else {
    vec4 other = near(q, fetch(frameMap, t < 0.5 ? elements.x : elements.z));
    q = normalize(mix(q, other, abs(t - 0.5)));
    d1 = turn(q, vec3(1.0, 0.0, 0.0));
  }
  section.d1 = normalize(d1 - dot(d1, section.d3) * section.d3);
  section.d2 = cross(section.d3, section.d1);
  section.halves = thickness * mix(halves.xy, halves.zw, t);
  float reach = max(section.halves.x, section.halves.y);
  float least = leastPixels * pixel * distanceFactor;
  if (reach < least) section.halves *= least / max(reach, 1e-12);
  section.value = mix(n1.w, n2.w, t);
  if (n1.w > 1e37) section.value = n2.w; // no number there
  if (n2.w > 1e37) section.value = n1.w;
  section.place += tint.w * runOffset;
  return section;
}
`;

// `position` is the outline's point for half widths of 1, and along the piece in [0, 1]; in caps the height above the end
// comes in `dome`, in half widths.
export const TUBE_VERTEX = /* glsl */ `
precision highp float;
precision highp sampler2D;
${PLACE}
in float dome;
out vec3 vNormal, vPlace;
out vec4 vTint;
out float vAround, vValue;
uniform vec3 eye;
void main() {
  float t = position.z;
  vec3 rough = mix(fetch(nodeMap, nodes.y).xyz, fetch(nodeMap, nodes.z).xyz, t);
  Section section = sectionAt(t, distance(eye, rough));
  vec2 h = section.halves;
  float end = t < 0.5 ? -1.0 : 1.0, depth = 0.5 * min(h.x, h.y);
  vec3 across = section.d1 * (h.x * position.x) + section.d2 * (h.y * position.y);
  vec3 place = section.place + across + section.d3 * (end * depth * dome);
  vec3 n = section.d1 * (normal.x * h.y) + section.d2 * (normal.y * h.x);
  n = dot(n, n) > 0.0 ? normalize(n) * length(normal.xy) : vec3(0.0);
  vNormal = normalize(n + section.d3 * normal.z * end);
  vPlace = place;
  vAround = h.y > 1.001 * h.x ? around + 0.75 : around; // flat sections change colour at their edges
  vTint = tint;
  vValue = section.value;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}
`;

export const TUBE_FRAGMENT = /* glsl */ `
${COMMON}${SHADOW}${SURFACE}
in vec3 vNormal, vPlace;
in vec4 vTint;
in float vAround, vValue;
uniform sampler2D colorMap;
uniform vec2 range;
uniform float hasField, hasStripe, ghost;
uniform vec3 otherColor;
void main() {
  vec3 color = vTint.rgb;
  if (vTint.w > 0.5) color = mix(color, otherColor, ghost);
  if (hasField > 0.5) {
    float part = (vValue - range.x) / max(range.y - range.x, 1e-30);
    vec3 shown = texture2D(colorMap, vec2(clamp(part, 0.0, 1.0) * 0.996 + 0.002, 0.5)).rgb;
    // lit sides get half again the light that would show a colour as it is
    color = vValue > 1e36 ? 0.4 * color : 0.66 * shown;
  }
  if (hasStripe > 0.5) {
    float edge = 0.25 - abs(fract(vAround) - 0.25); // above 0 on the first half
    float share = clamp(0.5 + max(edge, fract(vAround) - 1.0) / max(fwidth(vAround), 1e-4), 0.0, 1.0);
    vec3 stripe = hasField > 0.5 ? 0.30 * color : vec3(0.045, 0.06, 0.085);
    color = mix(color, stripe, share);
  }
  vec3 normal = normalize(vNormal);
  float seen = lampSeen(vPlace, normal, toLamp);
  gl_FragColor = vec4(surfaceLight(color, normal, vPlace, seen, 0.92), 1.0);
}
`;

export const DEPTH_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vNormal, vPlace;
in vec4 vTint;
in float vAround, vValue;
void main() { gl_FragColor = vec4(gl_FragCoord.z, 1.0, gl_FragCoord.z, 1.0); }
`;
