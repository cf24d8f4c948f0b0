// How the skin of rods is drawn: colours by rod or field, a stripe, and at least so many pixels.
import { COMMON, SHADOW, SURFACE } from "./shading.js";

export const TUBE_VERTEX = /* glsl */ `
precision highp float;
in float value, around, reach;
in vec4 tint; // sRGB; run
uniform vec3 eye, runOffset;
uniform float thickness, pixel, leastPixels;
out vec3 vNormal, vPlace, vTint;
out float vAround, vValue, vRun;
void main() {
  vRun = tint.w > 0.5 ? 1.0 : 0.0;
  vec3 place = position + vRun * runOffset;
  float least = leastPixels * pixel * distance(eye, place); // what is thinner would flicker
  vNormal = normal;
  vPlace = place + normal * max(0.0, least - thickness * reach);
  vAround = around;
  vTint = tint.rgb * tint.rgb * (0.305 * tint.rgb + 0.695); // to linear light, nearly
  vValue = value;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}
`;

export const TUBE_FRAGMENT = /* glsl */ `
${COMMON}${SHADOW}${SURFACE}
in vec3 vNormal, vPlace, vTint;
in float vAround, vValue, vRun;
uniform sampler2D colorMap;
uniform vec2 range;
uniform float hasField, hasStripe, ghost;
uniform vec3 otherColor;
void main() {
  vec3 color = mix(vTint, otherColor, vRun * ghost);
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
void main() { gl_FragColor = vec4(gl_FragCoord.z, 1.0, gl_FragCoord.z, 1.0); }
`;
