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

const bundle = async (entry) => {
    const result = await build({
        entryPoints: [join(here, "src", entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2020",
        charset: "ascii",
        legalComments: "inline",
    });
    return result.outputFiles[0].text;
};

// nothing in the bundle may end its element
const script = (await bundle("main.ts")).replace(/<\/(script)/gi, "<\\/$1");
const style = (await bundle("style.css")).replace(/<\/(style)/gi, "<\\/$1");
const hash = createHash("sha256").update(script, "utf8").digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";

const page = readFileSync(join(here, "src", "page.html"), "utf8");
const [before, after] = page.split("@DATA@");
if (after === undefined) throw new Error("page.html has no @DATA@");
const fill = (text) => text.replace("@POLICY@", () => policy).replace("@STYLE@", () => style).replace("@SCRIPT@", () => script);

const array = (name, text) => {
    const bytes = Buffer.from(text, "utf8");
    const lines = [];
    for (let i = 0; i < bytes.length; i += 24) lines.push(Array.from(bytes.subarray(i, i + 24)).join(","));
    return `const unsigned char ${name}[] = {${lines.join(",\n")}};\nconst size_t ${name}_length = sizeof ${name};\n`;
};
writeFileSync(out, "// made by viewer/build.mjs\n#include \"report/page.h\"\n" +
    array("carom_page_head", fill(before)) + array("carom_page_tail", fill(after)));
