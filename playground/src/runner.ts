// SPDX-License-Identifier: Apache-2.0
// The worker that runs models, one at a time. A new run ends the one before it; one that does not end by itself, wherever
// it hangs, is ended with its worker.
import { limits, type Job, type Result } from "./engine";
import type { Answer, Ask } from "./worker";

const grace = 10; // seconds beyond a run's own: to read the model and to put the report together

export class Runner {
    private worker: Worker | null = null;
    private last = 0;
    private giveUp: (() => void) | null = null;

    constructor(private readonly url: string, private readonly engine: Promise<ArrayBuffer>) {}

    /** null: another run has taken its place */
    run(job: Job, tell: (t: number, end: number, steps: number) => void): Promise<Result | null> {
        const id = ++this.last;
        this.giveUp?.();
        return new Promise((resolve) => {
            const finish = (result: Result | null, isOver: boolean): void => {
                if (this.giveUp !== abandon) return;
                clearTimeout(timer);
                this.giveUp = null;
                if (isOver) this.end();
                resolve(result);
            };
            const abandon = (): void => finish(null, true);
            const fail = (text: string): void => finish({ code: 3, said: [text], stopped: null, json: null, report: null, back: [] }, true);
            const timer = setTimeout(() => fail(`stopped: nothing came within ${job.seconds + grace} s`), 1000 * (job.seconds + grace));
            this.giveUp = abandon;
            const worker = this.begin();
            worker.onmessage = (e: MessageEvent<Answer>): void => {
                const answer = e.data;
                if (answer.kind === "ready" || answer.id !== id) return;
                if (answer.kind === "progress") tell(answer.t, answer.end, answer.steps);
                else finish(answer.result, false);
            };
            worker.onerror = (e): void => fail(`the engine failed: ${e.message}`);
            const ask: Ask = { kind: "run", id, job };
            void this.engine.then(() => worker.postMessage(ask));
        });
    }

    private begin(): Worker {
        if (this.worker) return this.worker;
        const worker = (this.worker = new Worker(this.url));
        void this.engine.then((bytes) => { const ask: Ask = { kind: "start", bytes }; worker.postMessage(ask); });
        return worker;
    }

    private end(): void {
        this.worker?.terminate();
        this.worker = null;
    }
}

/** Seconds of a run. */
export const runSeconds = limits.seconds;
