// SPDX-License-Identifier: Apache-2.0
// The engine in a browser against the native command: the state after 100 steps of each fixed-step scheme, and what
// happens up to the fifth impact of a run as its file has it. What one refuses, the other must refuse with the same words.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const steps = 100, impacts = 5;
export const tolerance = { state: 1e-12, impact: 1e-9 };
// of these no step is fixed
const free = new Set(["event_driven", "rkf45", "hem5", "phem56", "tdg_velocity_adaptive"]);

const clean = (text) => text.split("\n").map((line) => line.replace(/^.*\/models\//, "")).filter((line) => line && !/^(warning|note):/.test(line)).join("\n");

function native(carom, file, words, folder) {
    return new Promise((resolve) => {
        const json = join(folder, `${Math.random()}.json`);
        execFile(carom, ["run", file, "-q", "--json", json, ...words], { maxBuffer: 1 << 26 }, (error, out, err) => {
            const code = error ? error.code : 0;
            resolve({ code, said: clean(err), json: code < 2 ? JSON.parse(readFileSync(json, "utf8")) : null });
        });
    });
}

async function inPage(page, text, name, words, back = []) {
    const result = await page.evaluate(([t, w, b, n]) => window.caromPlayground.run(t, w, b, n).then((r) => ({ ...r, report: null })), [text, words, back, name]);
    return { ...result, said: clean(result.said.join("\n")), json: result.json ? JSON.parse(result.json) : null };
}

// the largest difference, of the largest number of its kind or 1
function distance(a, b) {
    let most = 0;
    for (const kind of ["q", "u"]) {
        const names = Object.keys(a[kind]), size = Math.max(1, ...names.map((n) => Math.abs(a[kind][n] ?? NaN)));
        if (names.join() !== Object.keys(b[kind]).join()) return Infinity;
        for (const n of names) {
            const d = Math.abs(a[kind][n] - b[kind][n]) / size;
            if (!(d <= most)) most = d;
        }
    }
    return Math.max(most, Math.abs(a.t - b.t));
}

function stepOf(text) {
    const found = /^run:.*?\bstep:\s*([0-9.eE+-]+)\s*[,}\n]/ms.exec(text);
    return found ? Number(found[1]) : 1e-4;
}

// How far the command is from itself where the step, or a parameter, is another by one to three units of its last
// place: what rounds differently by as much (sin and its like of two libraries do) cannot be nearer.
async function ownDistance({ carom, folder, file, text }, scheme, h, reference) {
    const ulp = 2.3e-16, within = [...text.matchAll(/(?:^  |[{,] ?)(\w+): ([0-9.]+(?:e-?[0-9]+)?)\s*(?=#|,|\}|$)/gm)];
    const parameters = within.filter(([, name, value]) => Number(value) !== 0 && !["step", "end", "start", "rate"].includes(name)).slice(0, 8);
    const changes = [...[1, -1, 3, -3].map((k) => [h * (1 + k * ulp), []]),
        ...parameters.map(([, name, value]) => [h, ["--set", `${name}=${Number(value) * (1 + ulp)}`]])];
    let most = 0;
    for (const [step, more] of changes) {
        const other = await native(carom, file, ["--scheme", scheme, "--step", String(step), "--end", String(steps * step), ...more], folder);
        if (other.json && other.json.counts.steps === reference.counts.steps) most = Math.max(most, distance(reference, other.json));
    }
    return most;
}

/** One line for each comparison that fails; told: what differs how much. */
export async function compareSteps(model, told) {
    const { page, carom, folder, file, name, text, schemes } = model, wrong = [], h = stepOf(text);
    for (const scheme of schemes.filter((s) => !free.has(s))) {
        const words = ["--scheme", scheme, "--step", String(h), "--end", String(steps * h)];
        const [a, b] = [await native(carom, file, words, folder), await inPage(page, text, `${name}.yaml`, words)];
        if (a.code !== b.code || a.code >= 2) {
            told.push({ name, what: scheme, d: a.code === b.code ? -1 : NaN });
            if (a.code !== b.code || a.said !== b.said) wrong.push(`${name} ${scheme}: native ${a.code} ${a.said} / page ${b.code} ${b.said}`);
            continue;
        }
        const d = distance(a.json, b.json);
        const own = d <= tolerance.state ? 0 : await ownDistance(model, scheme, h, a.json);
        told.push({ name, what: scheme, d, own });
        if (!(d <= tolerance.state || d <= 10 * own)) wrong.push(`${name} ${scheme}: ${d.toExponential(2)} after ${steps} steps of ${h}; the command is ${own.toExponential(2)} from itself by the last bit`);
    }
    return wrong;
}

function impactsOf(csv) {
    return csv.trim().split("\n").slice(1).map((line) => line.split(",")).filter((cell) => cell[2] === "impact").slice(0, impacts);
}

export async function compareImpacts({ page, carom, folder, file, name, text }, told) {
    const events = join(folder, `${name}.csv`);
    const a = await native(carom, file, ["--events", events], folder);
    if (a.code >= 2) return [`${name}: ${a.said}`];
    const expected = impactsOf(readFileSync(events, "utf8"));
    if (expected.length === 0) return [];
    // a little beyond the last of them
    const words = expected.length < impacts ? [] : ["--end", String(Math.min(a.json.t, Number(expected[impacts - 1][0]) * 1.02 + 1e-6))];
    const b = await inPage(page, text, `${name}.yaml`, ["--events", "/events.csv", ...words], ["/events.csv"]);
    const found = impactsOf(b.back[0] ?? "");
    if (found.length < expected.length) return [`${name}: ${found.length} of ${expected.length} impacts ${b.said}`];
    let most = 0;
    for (let i = 0; i < expected.length; i++) {
        if (found[i][1] !== expected[i][1]) return [`${name}: impact ${i + 1} is of ${found[i][1]}, not of ${expected[i][1]}`];
        for (const k of [0, 3, 4, 5]) {
            const x = Number(expected[i][k]), d = Math.abs(Number(found[i][k]) - x) / Math.max(1, Math.abs(x));
            if (!(d <= most)) most = d;
        }
    }
    told.push({ name, what: `${expected.length} impacts`, d: most });
    return most <= tolerance.impact ? [] : [`${name}: impacts differ by ${most.toExponential(2)}`];
}
