// SPDX-License-Identifier: Apache-2.0
// Bundles the page and writes it as a C source: what stands before the data of a report and what stands after it.
// Usage: node build.mjs OUT.c
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) throw new Error("usage: node build.mjs OUT.c");

// what is embedded carries its licence
const licences = (names) => names.map((name) =>
    `/* ${name}:\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").replace(/\*\//g, "* /")}*/`).join("\n");

const bundle = async (entry, names) => {
    const result = await build({
        entryPoints: [join(here, "src", entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2020",
        charset: "ascii",
        legalComments: "none",
        banner: entry.endsWith(".css") ? { css: licences(names) } : { js: licences(names) },
    });
    return result.outputFiles[0].text;
};

const template = readFileSync(join(here, "src", "page.html"), "utf8");
const style = (await bundle("style.css", ["uplot"])).replace(/<\/(style)/gi, "<\\/$1");

// one page, its script and its policy: before the data and after it
async function page(entry, names) {
    // nothing in the bundle may end its element
    const script = (await bundle(entry, names)).replace(/<\/(script)/gi, "<\\/$1");
    const hash = createHash("sha256").update(script, "utf8").digest("base64");
    const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; ` +
        "base-uri 'none'; form-action 'none'";
    const [before, after] = template.split("@DATA@");
    if (after === undefined) throw new Error("page.html has no @DATA@");
    const fill = (text) => text.replace("@POLICY@", () => policy).replace("@STYLE@", () => style).replace("@SCRIPT@", () => script);
    return [fill(before), fill(after)];
}

const array = (name, text) => {
    const bytes = Buffer.from(text, "utf8");
    const lines = [];
    for (let i = 0; i < bytes.length; i += 24) lines.push(Array.from(bytes.subarray(i, i + 24)).join(","));
    return `static const unsigned char ${name}[] = {${lines.join(",\n")}};\n`;
};
let source = "// made by viewer/build.mjs\n#include \"report/page.h\"\n";
for (const [name, entry, names] of [["flat", "flat.ts", ["uplot"]], ["space", "space.ts", ["uplot", "three"]]]) {
    const [before, after] = await page(entry, names);
    source += array(`head_${name}`, before) + array(`tail_${name}`, after) +
        `const carom_page carom_page_${name} = {head_${name}, tail_${name}, sizeof head_${name}, sizeof tail_${name}};\n`;
}
writeFileSync(out, source);
