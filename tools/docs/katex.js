// SPDX-License-Identifier: Apache-2.0
// Sets formulas: a JSON list of TeX on standard input, a JSON list of HTML on standard output; what cannot be set is null
// and said on standard error. KaTeX is Debian's libjs-katex.
const katex = require(process.argv[2] || "/usr/share/javascript/katex/katex.min.js");

let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => {
    const set = JSON.parse(text).map((tex) => {
        try {
            return katex.renderToString(tex, { displayMode: true, throwOnError: true, strict: "ignore" });
        } catch (error) {
            console.error(`${error.message}\n    ${tex}`);
            return null;
        }
    });
    console.log(JSON.stringify(set));
});
