// Bundles the page into one file: DIRECTORY/index.html and index.html.gz. Usage: node bundle.mjs DIRECTORY
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const directory = process.argv[2];
const source = dirname(fileURLToPath(import.meta.url));
const { build, transform } = createRequire(join(directory, "package.json"))("esbuild");

const bundle = await build({
  entryPoints: [join(source, "src/main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  nodePaths: [join(directory, "node_modules")],
  legalComments: "eof",
  write: false,
  logLevel: "warning",
});
const style = await transform(readFileSync(join(source, "style.css"), "utf8"), { loader: "css", minify: true });

// "</script" inside of a script would end it.
const script = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = readFileSync(join(source, "index.html"), "utf8")
  .replace("/*style*/", () => style.code)
  .replace("/*script*/", () => script);
writeFileSync(join(directory, "index.html"), page);
writeFileSync(join(directory, "index.html.gz"), gzipSync(page, { level: 9 }));
