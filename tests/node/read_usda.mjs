// Reads a .usda with TinyUSDZ (its own parser of USD in C++, as WebAssembly) and with the parser of three.js. Usage:
//   read_usda.mjs MODULES FILE
// Prints one JSON document: TinyUSDZ's verdicts and the layer as TinyUSDZ writes it again, and what three.js found.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, file] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(modules, 'node_modules', name)).href);
const wasm = fs.readFileSync(path.join(modules, 'node_modules', 'tinyusdz', 'tinyusdz.wasm'));
// The package does not say that its file is a module, so that older versions of Node do not take it for one.
const source = fs.readFileSync(path.join(modules, 'node_modules', 'tinyusdz', 'tinyusdz.js'));
const initialize = (await import('data:text/javascript;base64,' + source.toString('base64'))).default;
const { USDAParser } = await load('three/examples/jsm/loaders/usd/USDAParser.js');

// The package is made for browsers only and refuses to start where it sees Node.
const node = globalThis.process;
globalThis.window = globalThis;
globalThis.process = undefined;
const tiny = await initialize({
    instantiateWasm(imports, done) {
        WebAssembly.instantiate(wasm, imports).then((result) => done(result.instance, result.module));
        return {};
    },
});
globalThis.process = node;

const text = fs.readFileSync(file, 'latin1'); // one character a byte
const stage = new tiny.TinyUSDZLoaderNative(); // as typed prims: BasisCurves with attributes of the right types
const stageIsRead = stage.loadFromBinary(text, 'file.usda');
const layer = new tiny.TinyUSDZLoaderNative(); // as it stands
const layerIsRead = layer.loadAsLayerFromBinary(text, 'file.usda');

console.log(JSON.stringify({
    stage: stageIsRead,
    stageError: stage.error(),
    layer: layerIsRead,
    layerError: layer.error(),
    text: layerIsRead ? layer.layerToString() : '',
    three: new USDAParser().parseData(fs.readFileSync(file, 'utf8')).specsByPath,
}));
