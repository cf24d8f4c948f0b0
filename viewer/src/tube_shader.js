// How the skin of rods is drawn: colours by rod or field, a stripe, and at least so many pixels. Tubes have their own
// vertices around them; ribbons (RIBBON) face the viewer, or the lamp while shadows are drawn (`pixel` is 0 then). Light is
// found for each pixel, but of ribbons of a few pixels (THIN) at their edges alone: that is as good, and far cheaper where
// a program draws.
import { COMMON, SHADOW, SURFACE } from "./shading.js";

// The colour of the rod's surface in linear light: `share` of it is stripe.
const COLOR = /* glsl */ `
uniform sampler2D colorMap;
uniform vec2 range;
uniform float hasField, hasStripe, ghost;
uniform vec3 otherColor;
vec3 rodColor(vec3 tint, float run, float value, float share) {
  vec3 color = mix(tint, otherColor, run * ghost);
  if (hasField > 0.5) {
    float part = (value - range.x) / max(range.y - range.x, 1e-30);
    vec3 shown = textureLod(colorMap, vec2(clamp(part, 0.0, 1.0) * 0.996 + 0.002, 0.5), 0.0).rgb;
    // lit sides get half again the light that would show a colour as it is
    color = value > 1e36 ? 0.4 * color : 0.66 * shown;
  }
  vec3 stripe = hasField > 0.5 ? 0.30 * color : vec3(0.045, 0.06, 0.085);
  return mix(color, stripe, hasStripe * share);
}
`;

const VERTEX_START = /* glsl */ `
precision highp float;
in float value, reach;
in vec4 tint; // sRGB; surface, and 128 of the second run
uniform vec3 runOffset;
uniform float thickness, pixel, leastPixels;
float runOf() { return tint.w > 0.3 ? 1.0 : 0.0; }
float surfaceOf() { return floor(255.0 * tint.w + 0.5) - 128.0 * runOf(); }
vec3 linearTint() { return tint.rgb * tint.rgb * (0.305 * tint.rgb + 0.695); } // nearly
`;

export const TUBE_VERTEX = /* glsl */ `
${VERTEX_START}
in float around;
uniform vec3 eye;
out vec3 vPlace, vTint, vNormal;
out float vValue, vRun, vAround;
flat out float vSurface;
void main() {
  vRun = runOf();
  vSurface = surfaceOf();
  vTint = linearTint();
  vValue = value;
  vec3 place = position + vRun * runOffset;
  float least = leastPixels * pixel * distance(eye, place); // what is thinner would flicker
  vNormal = normal;
  vPlace = place + normal * max(0.0, least - thickness * reach);
  vAround = around;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
`;

export const TUBE_FRAGMENT = /* glsl */ `
${COMMON}${SHADOW}${SURFACE}${COLOR}
in vec3 vPlace, vTint, vNormal;
in float vValue, vRun, vAround;
flat in float vSurface;
void main() {
  float edge = max(0.25 - abs(fract(vAround) - 0.25), fract(vAround) - 1.0); // above 0 on the first half
  float share = clamp(0.5 + edge / max(fwidth(vAround), 1e-4), 0.0, 1.0);
  vec3 color = rodColor(vTint, vRun, vValue, share), normal = normalize(vNormal);
  gl_FragColor = vec4(surfaceLight(color, normal, vPlace, lampSeen(vPlace, normal, toLamp), 0.92, vSurface), 1.0);
}
`;

// Across: -1 and 1 at its edges, 0 of a line. `edge` is the normal along d2: above 0 on the first half.
const RIBBON_VERTEX_MAIN = /* glsl */ `
in vec4 along, axis; // tangent and edge; d1
#ifdef THIN
out vec3 vColor;
#else
out vec3 vPlace, vTint, vSide, vFront;
out vec2 vAxis; // d1 against side and front
out float vValue, vRun, vAcross, vRadius;
flat out float vSurface;
#endif
void main() {
  float run = runOf();
  vec3 place = position + run * runOffset;
  vec3 view = pixel > 0.0 ? eye - place : toLamp;
  float radius = max(thickness * reach, leastPixels * pixel * length(view));
  vec3 side = cross(along.xyz, view);
  float size = length(side);
  side = size > 0.0 ? side / size : axis.xyz;
  vec3 front = cross(side, along.xyz);
  vec2 inside = vec2(dot(axis.xyz, side), dot(axis.xyz, front));
  vec3 at = place + along.w * radius * side;
#ifdef THIN
  if (pixel > 0.0) {
    float unit = inversesqrt(1.0 + along.w * along.w);
    vec3 normal = unit * (along.w * side + front);
    float edge = unit * (inside.y * along.w - inside.x);
    vec3 color = rodColor(linearTint(), run, value, clamp(0.5 + 0.7 * edge, 0.0, 1.0));
    vec3 surface = place + radius * normal;
    vColor = surfaceLight(color, normal, surface, lampSeen(surface, normal, toLamp), 0.92, surfaceOf());
  }
#else
  vRun = run;
  vSurface = surfaceOf();
  vTint = linearTint();
  vValue = value;
  vSide = side;
  vFront = front;
  vAxis = inside;
  vAcross = along.w;
  vRadius = radius;
  vPlace = at;
#endif
  gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
}
`;
const NEEDED = /* glsl */ `uniform vec3 eye, toLamp;
`;
export const RIBBON_VERTEX = VERTEX_START + NEEDED + RIBBON_VERTEX_MAIN;
export const THIN_VERTEX = `#define THIN\n${COMMON}${SHADOW}${SURFACE}${COLOR}${VERTEX_START}${RIBBON_VERTEX_MAIN}`;

export const RIBBON_FRAGMENT = /* glsl */ `
${COMMON}${SHADOW}${SURFACE}${COLOR}
in vec3 vPlace, vTint, vSide, vFront;
in vec2 vAxis;
in float vValue, vRun, vAcross, vRadius;
flat in float vSurface;
void main() {
  float front = sqrt(max(0.0, 1.0 - vAcross * vAcross));
  vec3 normal = normalize(vAcross * vSide + front * vFront), place = vPlace + vRadius * front * vFront;
  float edge = vAxis.y * vAcross - vAxis.x * front;
  float share = clamp(0.5 + edge / max(fwidth(edge), 1e-4), 0.0, 1.0);
  vec3 color = rodColor(vTint, vRun, vValue, share);
  gl_FragColor = vec4(surfaceLight(color, normal, place, lampSeen(place, normal, toLamp), 0.92, vSurface), 1.0);
}
`;

export const THIN_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vColor;
void main() { gl_FragColor = vec4(vColor, 1.0); }
`;

export const DEPTH_FRAGMENT = /* glsl */ `
precision highp float;
void main() { gl_FragColor = vec4(gl_FragCoord.z, 1.0, gl_FragCoord.z, 1.0); }
`;
