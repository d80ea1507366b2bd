// SPDX-License-Identifier: Apache-2.0
// One run of the command in memory: files in, the report and the audit out. Each run has a new instance, so that
// none sees what another left, and its memory is given back.
import { parseYaml } from "./yaml";

/** What emscripten makes of the library (cmake/playground.cmake). */
interface Module {
    callMain(words: string[]): number;
    FS: { mkdir(path: string): void; writeFile(path: string, data: string): void; readFile(path: string, o: { encoding: "utf8" }): string };
}
export interface Engine {
    (options: {
        instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
        parseYaml(bytes: Uint8Array): Uint8Array;
        watch(t: number, end: number, steps: number): boolean;
        print(line: string): void;
        printErr(line: string): void;
    }): Promise<Module>;
}

export interface Files { [name: string]: string }
export interface Job {
    /** of the model, "model.yaml", beside the files that it may name */
    name: string; text: string; files: Files; parts: Files;
    /** of the command: --set x=1 and the like */
    words: string[];
    /** of the clock, for the steps */
    seconds: number;
    /** files that are wanted back, of --events and the like */
    back?: string[];
}
export interface Result {
    code: number;
    /** lines that the command said */
    said: string[];
    /** the run's time was over at this one [s] */
    stopped: number | null;
    /** as `carom run --json` has it, and the data of `carom report`; null where there are none */
    json: string | null; report: string | null;
    back: (string | null)[];
}

/** Of what a model may ask for; the command has larger ones. */
export const limits = { seconds: 10, rows: 25000, nodes: 3000000 };
// a run with more rows is recorded every so many steps, which it says before its first step as a rule
const thinner = [1, 2, 5, 10, 20, 50, 100, 1000, 10000, 100000, 1000000];
const tooManyRows = /record(s|ed) more than \d+ rows/;
const stoppedText = /^stopped by a signal/;
// emscripten's streams are terminals to the command
const plain = (line: string): string => line.replace(/\x1b\[[0-9;]*m/g, "").replace(/^error: /, "").replaceAll("/work/", "");

export async function perform(engine: Engine, module: WebAssembly.Module, job: Job,
    tell: (t: number, end: number, steps: number) => void): Promise<Result> {
    const result: Result = { code: 3, said: [], stopped: null, json: null, report: null, back: [] };
    const start = Date.now();
    const m = await engine({
        instantiateWasm: (imports, done) => { void WebAssembly.instantiate(module, imports).then(done); return {}; },
        parseYaml,
        watch: (t, end, steps) => {
            tell(t, end, steps);
            if (Date.now() - start < 1000 * job.seconds) return false;
            result.stopped = t;
            return true;
        },
        print: () => {},
        printErr: (line) => { if (!(result.stopped !== null && stoppedText.test(plain(line)))) result.said.push(plain(line)); },
    });
    m.FS.mkdir("/work");
    m.FS.mkdir("/parts");
    for (const [name, text] of Object.entries(job.parts)) m.FS.writeFile(`/parts/${name}`, text);
    for (const [name, text] of Object.entries(job.files)) m.FS.writeFile(`/work/${name}`, text);
    const path = `/work/${job.name}`;
    m.FS.writeFile(path, job.text);
    const read = (name: string): string | null => {
        try { return m.FS.readFile(name, { encoding: "utf8" }); } catch { return null; }
    };
    try {
        const bounds = Object.entries(limits).flatMap(([name, most]) => ["--limit", `${name}=${most}`]);
        const command = ["run", path, "-o", "/run.journal", "--json", "/run.json", "--quiet", ...bounds, ...job.words];
        for (const every of thinner) {
            result.said = [];
            result.code = m.callMain(every > 1 ? [...command, "--every", String(every)] : command);
            const isFull = result.said.some((line) => tooManyRows.test(line));
            if (!isFull || result.stopped !== null || job.words.includes("--every")) break;
        }
        result.json = read("/run.json");
        result.back = (job.back ?? []).map(read);
        if (read("/run.journal") !== null && m.callMain(["report", "/run.journal", "/run.report"]) === 0) result.report = read("/run.report");
    } catch (e) {
        const text = e instanceof Error ? e.message : String(e);
        result.said.push(/memory|grow|OOM/i.test(text) ? "the run took more memory than a page may have" : `the engine failed: ${text}`);
    }
    return result;
}
