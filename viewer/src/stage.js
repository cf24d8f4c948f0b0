// Where things are drawn: background, ground that catches shadows, lamp, and the order of the passes.
import * as THREE from "three";
import { COMMON } from "./shading.js";
import { toLinear, toScreen } from "./colors.js";

THREE.ColorManagement.enabled = false; // marks' colours are those of the screen; shaders convert theirs

const hex = (text) => new THREE.Color(...[1, 3, 5].map((at) => toLinear(parseInt(text.slice(at, at + 2), 16) / 255)));
const THEMES = {
  light: { low: hex("#eef0f3"), high: hex("#d9dee5"), vignette: 0.1, ground: 1 },
  dark: { low: hex("#2b3038"), high: hex("#15181d"), vignette: 0.25, ground: 1.5 },
};
const LAMP_SIZE = 0.06; // tangent of half the angle that the lamp covers

// The background is the page's own, behind a canvas that is clear where nothing is drawn: nobody has to paint it for each
// picture. `at` rises from the lower edge; the corners are darker.
function backgroundStyle({ low, high, vignette }) {
  const percent = (part) => `${(100 * part).toFixed(1)}%`;
  const rise = Array.from({ length: 9 }, (_, i) => {
    const at = i / 8, part = at * at * (3 - 2 * at);
    return `rgb(${low.clone().lerp(high, part).toArray().map((value) => Math.round(255 * toScreen(value)))}) ${percent(at)}`;
  });
  const corners = [0, 0.4, 0.6, 0.75, 0.9, 1].map((at) => `rgb(0 0 0 / ${(1 - (1 - vignette * at ** 4) ** (1 / 2.2)).toFixed(4)}) ${percent(at)}`);
  return `radial-gradient(farthest-corner, ${corners}), linear-gradient(to top, ${rise})`;
}

// Shadows on the ground, drawn into a small texture of their own: seen from above, one unit is the ground's radius. The
// lamp's map holds depth, coverage and their product; its coarse levels tell how much of the lamp is hidden and how far
// away what hides it is, hence how soft the shadow's edge.
const SHADE_VERTEX = /* glsl */ `
uniform mat4 groundMatrix;
out vec3 vPlace;
out vec2 vAt;
void main() {
  vAt = position.xy;
  vPlace = (groundMatrix * vec4(position.xy, 0.0, 1.0)).xyz;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`;
const SHADE_FRAGMENT = /* glsl */ `
${COMMON}
in vec3 vPlace;
in vec2 vAt;
uniform sampler2D lampMap;
uniform mat4 lampMatrix;
uniform vec3 backdrop;
uniform float lampTexel, lampDepth, lampWidth, strength;
vec4 taps(vec2 at, float level) {
  float r = 0.6 * lampTexel * exp2(level);
  return 0.25 * (textureLod(lampMap, at + vec2(r, 0.4 * r), level) + textureLod(lampMap, at + vec2(-0.4 * r, r), level) +
                 textureLod(lampMap, at + vec2(-r, -0.4 * r), level) + textureLod(lampMap, at + vec2(0.4 * r, -r), level));
}
void main() {
  vec3 p = 0.5 * (lampMatrix * vec4(vPlace, 1.0)).xyz + 0.5;
  float coarse = -log2(32.0 * lampTexel);
  vec4 wide = taps(p.xy, coarse);
  float hidden = 0.0, near = 0.0;
  if (wide.g > 1e-4) {
    float height = max(0.0, p.z - wide.b / wide.g) * lampDepth;
    float width = ${(2 * LAMP_SIZE).toFixed(2)} * height;
    hidden = taps(p.xy, clamp(log2(width / (lampWidth * lampTexel)), 0.5, coarse + 1.0)).g;
    near = wide.g * clamp(1.0 - height / (0.25 * lampWidth), 0.0, 1.0); // hides some of the sky, too
  }
  float fade = strength * (1.0 - smoothstep(0.7, 1.0, length(vAt)));
  float lamp = 0.50 * fade * hidden, sky = 0.45 * fade * near * near;
  vec3 light = clamp(vec3(1.0 - 1.03 * lamp, 1.0 - lamp, 1.0 - 0.95 * lamp) * (1.0 - sky), 0.0, 1.0);
  vec3 factor = pow(light, vec3(1.0 / 2.2)); // of screen values
  float least = min(factor.r, min(factor.g, factor.b));
  gl_FragColor = vec4((factor - least) * backdrop, 1.0 - least); // what is behind shines through the rest
}
`;
const GROUND_VERTEX = /* glsl */ `
uniform vec4 part; // of the ground that is drawn: middle, half widths
out vec2 vAt;
void main() {
  vec2 at = part.xy + part.zw * position.xy;
  vAt = 0.5 * at + 0.5;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(at, 0.0, 1.0);
}
`;
const GROUND_FRAGMENT = /* glsl */ `
precision highp float;
in vec2 vAt;
uniform sampler2D shade;
void main() { gl_FragColor = texture2D(shade, vAt); }
`;

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

// Whether the graphics processor is a program.
function isSoftwareRenderer(gl) {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return SOFTWARE.test(String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
}

// Several samples a pixel cost nothing on graphics processors and most of the time on others; whether they are wanted has
// to be said before a canvas' context is made, so where they are the canvas is replaced.
function makeRenderer(canvas) {
  const options = { alpha: true, powerPreference: "high-performance" };
  const first = canvas.getContext("webgl2", { ...options, antialias: false });
  if (!first) throw new Error("there is no WebGL 2");
  if (isSoftwareRenderer(first)) return new THREE.WebGLRenderer({ canvas, context: first });
  const fresh = canvas.cloneNode(true);
  canvas.replaceWith(fresh);
  first.getExtension("WEBGL_lose_context")?.loseContext();
  return new THREE.WebGLRenderer({ ...options, canvas: fresh, antialias: true });
}

export class Stage {
  constructor(canvas) {
    this.renderer = makeRenderer(canvas);
    this.renderer.autoClear = false;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // shaders encode
    this.scene = new THREE.Scene();
    this.things = new THREE.Group(); // cast shadows
    this.marks = new THREE.Group(); // do not
    this.camera = new THREE.PerspectiveCamera(28, 1, 0.01, 100);
    this.lampCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 4);
    this.center = new THREE.Vector3();
    this.scale = 1;
    this.up = new THREE.Vector3(0, 0, 1);
    this.floor = -1; // height of the ground along `up`
    this.isSoftware = isSoftwareRenderer(this.renderer.getContext());
    this.#makeUniforms();
    this.#makeGround(this.isSoftware ? 192 : 768);
    this.#makeLampMap(this.isSoftware ? 512 : 2048);
    this.scene.add(this.things, this.marks);
    this.setTheme("light");
    this.box = new THREE.Box3(new THREE.Vector3(-1e9, -1e9, -1e9), new THREE.Vector3(1e9, 1e9, 1e9)); // of what casts shadows
    this.shadowsAreOld = true;
    this.drawings = 0;
  }

  #makeUniforms() {
    const vector = () => ({ value: new THREE.Vector3() });
    this.uniforms = {
      upward: vector(), toLamp: vector(), toFill: vector(), eye: vector(),
      pixel: { value: 0 },
      lampMap: { value: null },
      lampFront: { value: null },
      lampMatrix: { value: new THREE.Matrix4() },
      lampTexel: { value: 1 / 1024 },
      lampBias: { value: 0 },
      lampDepth: { value: 1 },
      lampWidth: { value: 1 },
      hasShadow: { value: 1 },
    };
    this.backdrop = { backdrop: vector(), strength: { value: 1 } };
  }

  #makeGround(size) {
    this.part = new THREE.Vector4(0, 0, 1, 1);
    this.shadeTarget = new THREE.WebGLRenderTarget(size, size, { depthBuffer: false });
    this.uniforms.groundMatrix = { value: new THREE.Matrix4() };
    const uniforms = { ...this.uniforms, ...this.backdrop };
    const shade = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({ vertexShader: SHADE_VERTEX, fragmentShader: SHADE_FRAGMENT, uniforms, depthTest: false }),
    );
    shade.frustumCulled = false;
    this.shadeScene = new THREE.Scene().add(shade);
    this.ground = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        vertexShader: GROUND_VERTEX, fragmentShader: GROUND_FRAGMENT,
        uniforms: { shade: { value: this.shadeTarget.texture }, part: { value: this.part } },
        blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneMinusSrcAlphaFactor, transparent: true, depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.ground.renderOrder = -1;
    this.ground.frustumCulled = false;
    this.scene.add(this.ground);
  }

  #makeLampMap(size) {
    const gl = this.renderer;
    const isFloat = gl.extensions.has("EXT_color_buffer_float") && gl.extensions.has("OES_texture_float_linear");
    this.lampTarget?.dispose();
    this.lampTarget = new THREE.WebGLRenderTarget(size, size, {
      type: isFloat ? THREE.FloatType : THREE.HalfFloatType,
      format: THREE.RGBAFormat,
      generateMipmaps: true,
      minFilter: THREE.LinearMipmapLinearFilter,
      magFilter: THREE.LinearFilter,
    });
    const front = new THREE.DepthTexture(size, size, THREE.FloatType);
    front.compareFunction = THREE.LessEqualCompare;
    front.minFilter = front.magFilter = THREE.LinearFilter;
    this.lampTarget.depthTexture = front;
    this.uniforms.lampFront.value = front;
    this.uniforms.lampMap.value = this.lampTarget.texture;
    this.uniforms.lampTexel.value = 1 / size;
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.renderer.domElement.style.background = backgroundStyle(theme);
    this.backdrop.backdrop.value.setFromColor(theme.low).toArray().forEach((value, k) => this.backdrop.backdrop.value.setComponent(k, toScreen(value)));
    this.backdrop.strength.value = theme.ground;
    this.shadowsAreOld = true;
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // The ball that holds everything, for lamp and ground.
  setBall(center, scale) {
    this.center.copy(center);
    this.scale = scale;
    this.shadowsAreOld = true;
  }

  // The lamp stands to the left of the viewer, behind and above; `back` points to the viewer.
  placeLamp(back) {
    const level = back.clone().addScaledVector(this.up, -back.dot(this.up));
    if (level.length() < 1e-3) level.set(0.2, -1, 0.1).cross(this.up);
    level.normalize();
    const right = this.up.clone().cross(level).normalize();
    const mix = (r, b, u) => right.clone().multiplyScalar(r).addScaledVector(level, b).addScaledVector(this.up, u).normalize();
    this.uniforms.toLamp.value.copy(mix(-0.55, 0.4, 1));
    this.uniforms.toFill.value.copy(mix(0.9, 0.7, 0.25));
    this.uniforms.upward.value.copy(this.up);
    this.shadowsAreOld = true;
  }

  #placeLampCamera() {
    const lamp = this.lampCamera;
    const size = 1.05 * this.scale;
    lamp.left = lamp.bottom = -size;
    lamp.right = lamp.top = size;
    lamp.near = 0;
    lamp.far = 2 * size; // what is below the ball catches shadows, and need not be in it
    lamp.up.copy(Math.abs(this.up.dot(this.uniforms.toLamp.value)) > 0.99 ? new THREE.Vector3(1, 0, 0) : this.up);
    lamp.position.copy(this.center).addScaledVector(this.uniforms.toLamp.value, size);
    lamp.lookAt(this.center);
    lamp.updateMatrixWorld();
    lamp.updateProjectionMatrix();
    this.uniforms.lampMatrix.value.multiplyMatrices(lamp.projectionMatrix, lamp.matrixWorldInverse);
    this.uniforms.lampDepth.value = 2 * size;
    this.uniforms.lampWidth.value = 2 * size;
    this.uniforms.lampBias.value = 3 * size * this.uniforms.lampTexel.value;
  }

  // The part of the ground that shadows of the ball can fall on.
  #placeGround() {
    const toLamp = this.uniforms.toLamp.value;
    const height = this.center.dot(this.up) - this.floor;
    const slope = Math.max(0.2, toLamp.dot(this.up));
    this.ground.position.copy(this.center).addScaledVector(toLamp, -height / slope);
    this.ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up);
    this.ground.scale.setScalar(1.65 * this.scale);
    this.ground.updateMatrixWorld();
    this.#placePart();
  }

  // Only where shadows of the things' box may fall is the ground drawn: no pixel beside it would change.
  #placePart() {
    const { min, max } = this.box;
    const toLamp = this.uniforms.toLamp.value;
    const inverse = this.ground.matrixWorld.clone().invert();
    const blur = 0.14 * this.uniforms.lampWidth.value; // of the lamp map's coarse level
    const [low, high] = [new THREE.Vector2(1, 1), new THREE.Vector2(-1, -1)];
    const corner = new THREE.Vector3();
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
      const height = Math.max(0, corner.dot(this.up) - this.floor);
      corner.addScaledVector(toLamp, -height / Math.max(0.2, toLamp.dot(this.up))).applyMatrix4(inverse);
      low.min(corner);
      high.max(corner);
    }
    const margin = blur / this.ground.scale.x;
    low.subScalar(margin).clampScalar(-1, 1);
    high.addScalar(margin).clampScalar(-1, 1);
    this.part.set((low.x + high.x) / 2, (low.y + high.y) / 2, (high.x - low.x) / 2, (high.y - low.y) / 2);
  }

  #drawShadows() {
    const { renderer } = this;
    this.#placeLampCamera();
    this.#placeGround();
    const pixel = this.uniforms.pixel.value;
    this.uniforms.pixel.value = 0;
    const swapped = [];
    this.things.traverseVisible((mesh) => {
      if (!mesh.userData.depthMaterial) return;
      swapped.push([mesh, mesh.material]);
      mesh.material = mesh.userData.depthMaterial;
    });
    renderer.setRenderTarget(this.lampTarget);
    renderer.setClearColor(0xff0000, 0); // depth 1, nothing covered
    renderer.clear();
    renderer.render(this.things, this.lampCamera);
    this.uniforms.groundMatrix.value.copy(this.ground.matrixWorld);
    renderer.setRenderTarget(this.shadeTarget);
    renderer.render(this.shadeScene, this.lampCamera);
    renderer.setRenderTarget(null);
    for (const [mesh, material] of swapped) mesh.material = material;
    this.uniforms.pixel.value = pixel;
  }

  // quality: pixels for each of the screen's; more than one once things stand still, less where drawing takes too long.
  draw(height, quality) {
    this.camera.updateMatrixWorld();
    this.uniforms.eye.value.copy(this.camera.position);
    this.uniforms.pixel.value = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    // Programs that draw make shadows of every third picture only, or sixth; those of the last one are made when it stays.
    const isDue = !this.isSoftware || quality > 1 || this.drawings++ % (quality < 1 ? 6 : 3) === 0;
    if (this.shadowsAreOld && this.uniforms.hasShadow.value && isDue) {
      this.#drawShadows();
      this.shadowsAreOld = false;
    }
    this.ground.visible = this.uniforms.hasShadow.value > 0;
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
  }
}
