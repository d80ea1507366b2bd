// SPDX-License-Identifier: Apache-2.0
// Puts the playground together: one page with its scripts, the engine (deflated), the shipped models of up to 60
// coordinates and what they name. Also engine.mjs, the engine for node, which the tests use.
// Usage: node build.mjs ENGINE-FOLDER SOURCE-FOLDER OUT-FOLDER   (npm packages lie beside this file)
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [engineFolder, source, out] = process.argv.slice(2).map((path) => resolve(path));
if (!out) throw new Error("usage: node build.mjs ENGINE-FOLDER SOURCE-FOLDER OUT-FOLDER");
const mostCoordinates = 60, looksFor = 0.1; // seconds that a model is tried for

// what is embedded carries its licence
const licences = (names) => names.map((name) =>
    `/* ${name}:\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").replace(/\*\//g, "* /")}*/`).join("\n");

async function bundle(entry, names, options = {}) {
    const banner = licences(names);
    const result = await build({
        entryPoints: [join(here, "src", entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2021",
        charset: "ascii", legalComments: "none", banner: entry.endsWith(".css") ? { css: banner } : { js: banner }, ...options,
    });
    return result.outputFiles[0].text;
}

function filesOf(folder, endings) {
    const names = readdirSync(join(source, folder)).filter((name) => endings.test(name)).sort();
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(source, folder, name), "utf8")]));
}

const engineScript = readFileSync(join(engineFolder, "engine.js"), "utf8"), wasm = readFileSync(join(engineFolder, "engine.wasm"));
const parts = filesOf("parts", /\.yaml$/), models = filesOf("models", /\.yaml$/), data = filesOf("models", /\.(csv|mtx|stl|off)$/);

// the engine itself says how many coordinates a model has
writeFileSync(join(out, "engine.mjs"), await bundle("engine.ts", ["yaml"], { format: "esm", platform: "neutral", mainFields: ["module", "main"], minify: false }));
const { perform } = await import(join(out, "engine.mjs"));
const engine = createRequire(import.meta.url)(join(engineFolder, "engine.js"));
const compiled = await WebAssembly.compile(wasm);
process.setMaxListeners(0); // emscripten adds some for each instance
const examples = {}, tables = {};
for (const [file, text] of Object.entries(models)) {
    const job = { name: file, text, files: { ...models, ...data }, parts, words: ["--end", "1e-6"], seconds: looksFor };
    const { code, said, json } = await perform(engine, compiled, job, () => {});
    const n = json ? Object.keys(JSON.parse(json).q).length : NaN;
    if (!(n <= mostCoordinates)) {
        console.log(`left out: ${file} ${json ? `has ${n} coordinates` : `(${code}) ${said.join("; ")}`}`);
        continue;
    }
    examples[file.replace(/\.yaml$/, "")] = text;
    for (const [name, content] of Object.entries({ ...models, ...data }))
        if (name !== file && text.includes(name)) tables[name] = content;
}
const schemes = [...readFileSync(join(source, "src/schemes/schemes_table.h"), "utf8").matchAll(/^ +X\((\w+)\)/gm)].map((m) => m[1]).sort();
const version = /CAROM_VERSION "([^"]+)"/.exec(readFileSync(join(source, "include/carom/base.h"), "utf8"))[1];

// nothing in what is embedded may end its element
const inside = (text) => text.replace(/<(?=[/!])/g, "\\u003c");
const script = (await bundle("main.ts", ["uplot", "three", "yaml"])).replace(/<\/(script)/gi, "<\\/$1");
const style = (await bundle("style.css", ["uplot"])).replace(/<\/(style)/gi, "<\\/$1");
const musl = "/usr/share/emscripten/system/lib/libc/musl/COPYRIGHT"; // MIT; part of the engine
const notice = existsSync(musl) ? `/* musl:\n${readFileSync(musl, "utf8").replace(/\*\//g, "* /").replace(/<(?=[/!])/g, "< ")}*/\n` : "";
const worker = notice + engineScript + "\n" + (await bundle("worker.ts", ["yaml"]));
if (/<\/script/i.test(worker) || /<!--/.test(worker)) throw new Error("the worker's script would end its element");
const hash = createHash("sha256").update(script, "utf8").digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; ` +
    "img-src data: blob:; base-uri 'none'; form-action 'none'";
const fill = {
    POLICY: policy, STYLE: style, SCRIPT: script, WORKER: worker, ENGINE: gzipSync(wasm, { level: 9 }).toString("base64"),
    SHIPPED: inside(JSON.stringify({ version, examples, tables, parts, schemes })),
};
const page = readFileSync(join(here, "src", "page.html"), "utf8").replace(/@([A-Z]+)@/g, (all, name) => fill[name] ?? all);
writeFileSync(join(out, "playground.html"), page);
console.log(`playground     ${join(out, "playground.html")} (${(page.length / 1e6).toFixed(2)} MB, ${Object.keys(examples).length} examples)`);
