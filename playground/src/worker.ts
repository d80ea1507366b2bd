// SPDX-License-Identifier: Apache-2.0
// Runs in a worker: gets the compiled engine once, then jobs one by one. The page ends the worker where a job does not
// end by itself.
import { perform, type Engine, type Job, type Result } from "./engine";

declare const caromEngine: Engine; // engine.js stands in front of this script

export type Ask = { kind: "start"; bytes: ArrayBuffer } | { kind: "run"; id: number; job: Job };
export type Answer =
    | { kind: "ready" }
    | { kind: "progress"; id: number; t: number; end: number; steps: number }
    | { kind: "done"; id: number; result: Result };

// The engine looks at the clock several times in each step, which costs more than the step: it may look at one that is
// read anew now and then.
const clock = performance.now.bind(performance);
let looks = 0, shown = clock();
performance.now = (): number => (++looks % 16 === 0 ? (shown = clock()) : shown);

let compiled: Promise<WebAssembly.Module> | null = null;
const answer = (message: Answer): void => (self as unknown as { postMessage(m: Answer): void }).postMessage(message);

self.onmessage = (e: MessageEvent<Ask>): void => {
    const ask = e.data;
    if (ask.kind === "start") {
        compiled = WebAssembly.compile(ask.bytes);
        void compiled.then(() => answer({ kind: "ready" }));
        return;
    }
    const { id, job } = ask;
    void compiled?.then((module) => perform(caromEngine, module, job,
        (t, end, steps) => answer({ kind: "progress", id, t, end, steps })))
        .then((result) => answer({ kind: "done", id, result }))
        .catch((error: unknown) => answer({ kind: "done", id,
            result: { code: 3, said: [`the engine failed: ${String(error)}`], stopped: null, json: null, report: null, back: [] } }));
};
