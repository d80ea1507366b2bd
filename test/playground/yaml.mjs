// SPDX-License-Identifier: Apache-2.0
// The page's YAML by the same rules: every bad model is refused in the engine with the message, at the place, that its
// first line expects of the command. And what a run costs: the slider-crank takes less than 2 s of a processor.
// Usage: node yaml.mjs PAGE-FOLDER SOURCE
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [built, source] = process.argv.slice(2);
const { perform } = await import(join(built, "engine.mjs"));
const engine = createRequire(import.meta.url)(join(built, "engine/engine.js"));
const module = await WebAssembly.compile(readFileSync(join(built, "engine/engine.wasm")));
process.setMaxListeners(0); // emscripten adds some for each instance
const folder = join(source, "test/bad-models"), read = (...path) => readFileSync(join(...path), "utf8");
const filesOf = (path) => Object.fromEntries(readdirSync(path).filter((n) => /\.[a-z]+$/.test(n)).map((n) => [n, read(path, n)]));
const files = filesOf(folder), parts = filesOf(join(source, "parts"));
// they name files outside of their folder, which the page does not have; one is no text at all, which a text area is
const others = new Set(["elastic-order.yaml", "include-outside.yaml", "shape-field-outside.yaml", "file-not-utf8.yaml"]);

let done = 0, failures = 0;
for (const name of Object.keys(files).filter((n) => n.endsWith(".yaml") && !others.has(n)).sort()) {
    const [, place, message] = /^# expect: (?:(\d+:\d+): )?([^\r\n]*)/.exec(files[name]);
    const { code, said } = await perform(engine, module, { name, text: files[name], files, parts, words: [], seconds: 5 }, () => {});
    const text = said.join("\n");
    done++;
    if (code === 2 && text.includes(message) && (!place || text.startsWith(`${name}:${place}:`))) continue;
    failures++;
    console.log(`FAILED: ${name}: expected ${place ?? ""} ${message}\n  got ${code} ${text}`);
}
const before = process.cpuUsage(), fresh = await WebAssembly.compile(readFileSync(join(built, "engine/engine.wasm")));
const job = { name: "slider-crank.yaml", text: read(source, "models/slider-crank.yaml"), files: {}, parts, words: [], seconds: 30 };
const { report } = await perform(engine, fresh, job, () => {}), spent = process.cpuUsage(before);
const seconds = (spent.user + spent.system) / 1e6;
if (!report || !(seconds < 2)) failures++;
console.log(`${done} bad models, ${failures} failed; the slider-crank takes ${seconds.toFixed(2)} s of a processor`);
process.exit(failures > 0 || done < 350 ? 1 : 0);
