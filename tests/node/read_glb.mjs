// Judges a .glb with the Khronos validator, then lets three.js load it and move its skins. Usage:
//   read_glb.mjs MODULES FILE OUT TIME...
// MODULES is the folder with node_modules. Prints one JSON document; writes to OUT, as float64, for every time and every
// skinned mesh: translations of its joints as animated, its joints in the world, its vertices in the world. Vertices of
// meshes without skins, at every time, stand in the document.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, file, out, ...times] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(modules, 'node_modules', name)).href);
const validator = createRequire(path.join(modules, 'package.json'))('gltf-validator');
const THREE = await load('three/build/three.module.js');

const bytes = fs.readFileSync(file);
const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 50 });

globalThis.self = globalThis; // the loader expects a browser's name for it
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');

const meshes = [], solids = [];
gltf.scene.traverse((object) => {
    if (object.isSkinnedMesh) meshes.push(object);
    else if (object.isMesh) solids.push({ mesh: object, vertices: [] });
});
const mixer = new THREE.AnimationMixer(gltf.scene);
const numbers = [];
const put = (v) => numbers.push(v.x, v.y, v.z);
const vector = new THREE.Vector3();

for (const text of times) {
    if (gltf.animations.length > 0) {
        const action = mixer.clipAction(gltf.animations[0]);
        action.reset();
        action.setLoop(THREE.LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        mixer.setTime(Number(text));
    }
    gltf.scene.updateMatrixWorld(true);
    for (const solid of solids) {
        const own = [], positions = solid.mesh.geometry.attributes.position;
        for (let i = 0; i < positions.count; i++) {
            solid.mesh.getVertexPosition(i, vector).applyMatrix4(solid.mesh.matrixWorld); // with morph targets
            own.push(vector.x, vector.y, vector.z);
        }
        solid.vertices.push(own);
    }
    for (const mesh of meshes) {
        mesh.skeleton.update();
        for (const bone of mesh.skeleton.bones) put(bone.position);
        for (const bone of mesh.skeleton.bones) put(vector.setFromMatrixPosition(bone.matrixWorld));
        const count = mesh.geometry.attributes.position.count;
        for (let i = 0; i < count; i++) {
            vector.fromBufferAttribute(mesh.geometry.attributes.position, i);
            put(mesh.applyBoneTransform(i, vector).applyMatrix4(mesh.matrixWorld));
        }
    }
}
fs.writeFileSync(out, Buffer.from(new Float64Array(numbers).buffer));

console.log(JSON.stringify({
    issues: report.issues,
    animations: gltf.animations.length,
    duration: gltf.animations.length > 0 ? gltf.animations[0].duration : 0,
    times: gltf.animations.length > 0 ? Array.from(gltf.animations[0].tracks[0].times) : [],
    solids: solids.map((solid) => ({ name: solid.mesh.name, vertices: solid.vertices })),
    meshes: meshes.map((mesh) => ({
        name: mesh.name,
        joints: mesh.skeleton.bones.length,
        vertices: mesh.geometry.attributes.position.count,
        triangles: Array.from(mesh.geometry.index.array),
        joint: Array.from(mesh.geometry.attributes.skinIndex.array),
        weight: Array.from(mesh.geometry.attributes.skinWeight.array),
        color: mesh.geometry.attributes.color ? Array.from(mesh.geometry.attributes.color.array) : null,
    })),
}));
