// The light of `cordage render` (src/render/shading.c) as GLSL: one lamp with a soft highlight (Trowbridge-Reitz, Smith,
// Schlick, as in Walter et al. 2007), a sky that is brighter above, a weak fill light; surfaces as a scene's `looks` have them.
const SURFACES = ["plastic", "rope", "metal", "rubber"];
export const surfaceNumber = (name) => Math.max(0, SURFACES.indexOf(name));

export const COMMON = /* glsl */ `
precision highp float;
precision highp sampler2D;
vec3 toScreen(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
vec3 tone(vec3 c) { // compresses what is brighter than the screen
  return mix(c, 0.7 + 0.3 * (1.0 - exp(-(c - 0.7) / 0.3)), step(0.7, c));
}
`;

// The lamp's depth map compares by itself, softly over a texel: one look, which is what takes longest where a program draws.
export const SHADOW = /* glsl */ `
uniform highp sampler2DShadow lampFront; // 1 where nothing is nearer to the lamp
uniform mat4 lampMatrix;
uniform float lampBias, lampDepth, hasShadow;
float lampSeen(vec3 place, vec3 normal, vec3 toLamp) {
  float facing = dot(normal, toLamp);
  if (hasShadow < 0.5 || facing <= 0.0) return 1.0; // what turns away has no light of it to lose
  vec4 p = lampMatrix * vec4(place + normal * lampBias * (2.2 - 1.6 * facing), 1.0);
  vec3 at = 0.5 * p.xyz + 0.5;
  at.z -= 1.5 * lampBias / lampDepth; // nearer is the surface itself
  return textureLod(lampFront, at, 0.0);
}
`;

export const SURFACE = /* glsl */ `
uniform vec3 upward, toLamp, toFill, eye;
// What a surface mirrors looking straight at it, how rough it is, and how much of its colour it scatters.
vec3 finishOf(float surface) {
  if (surface < 0.5) return vec3(0.04, 0.42, 1.0);
  return surface < 1.5 ? vec3(0.02, 0.65, 1.0) : surface < 2.5 ? vec3(0.75, 0.30, 0.35) : vec3(0.02, 0.75, 0.9);
}
float fresnel(float mirrored, float cosine) {
  float m = clamp(1.0 - cosine, 0.0, 1.0), m2 = m * m;
  return mirrored + (1.0 - mirrored) * m2 * m2 * m;
}
float highlight(vec3 n, vec3 l, vec3 v, vec3 finish) {
  float nl = dot(n, l), nv = max(1e-3, dot(n, v));
  if (nl <= 0.0) return 0.0;
  vec3 h = normalize(l + v);
  float a = finish.y * finish.y, a2 = a * a;
  float nh = clamp(dot(n, h), 0.0, 1.0), d = nh * nh * (a2 - 1.0) + 1.0;
  float shadowing = nl * sqrt(a2 + (1.0 - a2) * nv * nv) + nv * sqrt(a2 + (1.0 - a2) * nl * nl);
  return fresnel(finish.x, dot(h, l)) * a2 / (3.14159265 * d * d) * 0.5 / shadowing * nl;
}
vec3 surfaceLight(vec3 color, vec3 normal, vec3 place, float seen, float skySeen, float surface) {
  vec3 v = normalize(eye - place), finish = finishOf(surface);
  bool isMetal = surface > 1.5 && surface < 2.5;
  vec3 tint = isMetal ? mix(color, vec3(1.0), 0.35) : vec3(1.0);
  color *= finish.z;
  float cosine = dot(normal, v);
  if (cosine < 0.0) { normal = normalize(normal - 1.01 * cosine * v); cosine = 0.0; }
  const vec3 lampColor = vec3(1.36, 1.31, 1.24);
  float lamp = clamp(dot(normal, toLamp), 0.0, 1.0), fill = clamp(dot(normal, toFill), 0.0, 1.0);
  vec3 sky = mix(vec3(0.26, 0.255, 0.25), vec3(0.50, 0.53, 0.58), 0.5 + 0.5 * dot(normal, upward)) + 0.16 * fill;
  vec3 mirrored = 2.0 * cosine * normal - v;
  float band = smoothstep(-0.3, 0.9, dot(mirrored, upward));
  vec3 mirror = fresnel(finish.x, cosine) * (0.15 + 0.75 * band) * 0.6 * tint * vec3(0.95, 0.98, 1.0);
  float shine = (isMetal ? 0.35 : 1.9) * highlight(normal, toLamp, v, finish);
  vec3 light = seen * lampColor * (color * lamp + shine * tint) + skySeen * (color * sky + mirror);
  return toScreen(tone(light));
}
`;
