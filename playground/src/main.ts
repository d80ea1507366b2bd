// SPDX-License-Identifier: Apache-2.0
// The page: examples, the editor, sliders and how to run on the left, the viewer of `carom report` on the right. Every
// change runs the model anew.
import { unpack, type Audit, type Counts, type RawReport } from "../viewer/src/data";
import { button, element } from "../viewer/src/dom";
import { mount } from "../viewer/src/main";
import { SpaceView } from "../viewer/src/space/view";
import { Editor, type Place } from "./editor";
import type { Files, Result } from "./engine";
import { Runner, runSeconds } from "./runner";
import { fromFragment, toFragment } from "./share";
import { Sliders } from "./sliders";

interface Shipped { version: string; examples: Files; tables: Files; parts: Files; schemes: string[] }

const first = "slider-crank", soon = 120, later = 600; // [ms] after a slider, after a key
const dataOf = (id: string): string => document.getElementById(id)?.textContent ?? "";
const shipped = JSON.parse(dataOf("shipped")) as Shipped;

async function unzip(text: string): Promise<ArrayBuffer> {
    const raw = atob(text.trim()), bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function choice(label: string, options: [value: string, text: string][], change: () => void): HTMLSelectElement {
    const made = element("select", { "aria-label": label }, ...options.map(([value, text]) => element("option", { value }, text)));
    made.addEventListener("change", change);
    return made;
}

function field(label: string, title: string, change: () => void): HTMLInputElement {
    const made = element("input", { type: "text", placeholder: "of the file", "aria-label": label, title });
    made.addEventListener("change", change);
    return made;
}

class Page {
    private readonly editor = new Editor(() => this.edited());
    private readonly sliders = new Sliders(() => this.runSoon(soon));
    private readonly said = element("ul", { class: "said", "aria-live": "polite" });
    private readonly state = element("span", { class: "state", role: "status" });
    private readonly view = element("div", { id: "view" }, element("p", { class: "blank" }, "The engine starts …"));
    private readonly example = choice("example", [["", "own model"], ...Object.keys(shipped.examples).map((n): [string, string] => [n, n])],
        () => this.open(this.example.value));
    private readonly scheme = choice("scheme", [["", "as in the file"], ...shipped.schemes.map((n): [string, string] => [n, n])],
        () => this.runSoon(0));
    private readonly step = field("step", "time step [s], or auto", () => this.runSoon(0));
    private readonly end = field("end", "end time [s]", () => this.runSoon(0));
    private readonly runner: Runner;
    private life = new AbortController();
    private timer = 0;

    constructor(root: HTMLElement) {
        const url = URL.createObjectURL(new Blob([dataOf("worker")], { type: "text/javascript" }));
        this.runner = new Runner(url, unzip(dataOf("engine")));
        const named = (text: string, child: HTMLElement): HTMLElement => element("label", {}, text, child);
        root.replaceChildren(
            element("div", { class: "top" }, element("h1", {}, "Carom playground"), named("example", this.example),
                named("scheme", this.scheme), named("step", this.step), named("end", this.end),
                button("Run", "run the model (Ctrl+Enter)", () => this.runSoon(0), "play"),
                button("Share", "put the model into the address of this page, and copy it", () => void this.share()), this.state),
            element("main", { class: "bench" },
                element("div", { class: "left" }, element("section", { class: "card editor" }, this.editor.root, this.said), this.sliders.root),
                this.view));
        document.addEventListener("keydown", (e) => {
            if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) this.runSoon(0);
        });
        window.addEventListener("hashchange", () => void this.openShared());
    }

    async start(): Promise<void> {
        if (!(await this.openShared())) this.open(first);
    }

    private open(name: string): void {
        const text = shipped.examples[name];
        if (text === undefined) return;
        this.example.value = name;
        this.scheme.value = this.step.value = this.end.value = "";
        this.editor.text = text;
        this.sliders.show(text, {});
        this.runSoon(0);
    }

    private edited(): void {
        if (shipped.examples[this.example.value] !== this.editor.text) this.example.value = "";
        this.sliders.show(this.editor.text);
        this.runSoon(later);
    }

    private runSoon(delay: number): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.run(), delay);
    }

    private words(): string[] {
        const given = (name: string, value: string): string[] => (value.trim() ? [`--${name}`, value.trim()] : []);
        return [...this.sliders.words(), ...given("scheme", this.scheme.value), ...given("step", this.step.value), ...given("end", this.end.value)];
    }

    private async run(): Promise<void> {
        const start = performance.now(), name = `${this.example.value || "model"}.yaml`;
        this.state.textContent = "runs …";
        const result = await this.runner.run({
            name, text: this.editor.text, files: { ...shipped.tables }, parts: shipped.parts, words: this.words(), seconds: runSeconds,
        }, (t, end) => { this.state.textContent = `runs … ${Math.floor((100 * t) / (end || 1))} %`; });
        if (!result) return;
        this.tell(result, name);
        const isShown = result.report !== null && this.show(result);
        this.view.classList.toggle("old", !isShown);
        const took = ((performance.now() - start) / 1000).toFixed(2);
        this.state.textContent = !isShown ? "not run" : result.stopped === null ? `ran in ${took} s` : `stopped after ${took} s`;
        document.documentElement.dataset["runs"] = String(Number(document.documentElement.dataset["runs"] ?? 0) + 1);
    }

    // what the command said: an error with a place is underlined there
    private tell(result: Result, name: string): void {
        const isBad = result.code >= 2;
        let place: Place | null = null;
        const lines = result.said.map((line) => {
            const at = /^([^:]+):(\d+):(\d+): (.*)$/s.exec(line), isRemark = /^(warning|note):/.test(line) || !isBad;
            if (!at || at[1] !== name) return element("li", { class: isRemark ? "remark" : "error" }, line);
            const here = { line: Number(at[2]), column: Number(at[3]) };
            place ??= here;
            const item = element("li", { class: "error placed", title: "go there" }, `line ${here.line}, column ${here.column}: ${at[4] ?? ""}`);
            item.addEventListener("click", () => this.editor.goTo(here));
            return item;
        });
        if (result.stopped !== null)
            lines.unshift(element("li", { class: "error" },
                `stopped after ${runSeconds} s at t = ${Number(result.stopped.toPrecision(4))} s; what is shown ends there (a larger step or an earlier end takes less)`));
        this.said.replaceChildren(...lines);
        this.editor.underline(place);
    }

    private show(result: Result): boolean {
        const raw = JSON.parse(result.report ?? "") as RawReport, run = raw.runs[0];
        if (!run || run.rows < 1) return false;
        const json = result.json ? (JSON.parse(result.json) as { audit?: Audit; counts?: Counts }) : {};
        run.whole = result.code < 2 && result.stopped === null;
        if (json.audit) run.audit = { ...json.audit, warnings: json.audit.warnings ?? "" };
        if (json.counts) run.counts = json.counts;
        this.life.abort();
        this.life = new AbortController();
        // browsers keep few scenes in space: the one before is given back
        for (const canvas of this.view.querySelectorAll<HTMLCanvasElement>("canvas.scene"))
            canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
        mount(this.view, unpack(raw), run.drawing?.view ? SpaceView.open : null, null, this.life.signal);
        if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches)
            this.view.querySelector<HTMLButtonElement>(".controls .play")?.click();
        return true;
    }

    /** As the page runs models, for scripts and tests: resolves to null where another run takes its place. */
    runJob(text: string, words: string[], back: string[] = [], name = "model.yaml"): Promise<Result | null> {
        return this.runner.run({ name, text, files: { ...shipped.tables }, parts: shipped.parts, words, seconds: runSeconds, back }, () => {});
    }

    private async share(): Promise<void> {
        const example = this.example.value, text = this.editor.text;
        try {
            const fragment = await toFragment({
                example, ...(shipped.examples[example] === text ? {} : { text }), values: this.sliders.values,
                run: { scheme: this.scheme.value, step: this.step.value, end: this.end.value },
            });
            history.replaceState(null, "", fragment);
        } catch {
            this.state.textContent = "too large to be shared";
            return;
        }
        try {
            await navigator.clipboard.writeText(location.href);
            this.state.textContent = "address copied";
        } catch {
            this.state.textContent = "the address has it";
        }
    }

    private async openShared(): Promise<boolean> {
        const shared = await fromFragment(location.hash);
        const text = shared?.text ?? shipped.examples[shared?.example ?? ""];
        if (!shared || text === undefined) return false;
        this.example.value = shared.example in shipped.examples ? shared.example : "";
        this.scheme.value = shipped.schemes.includes(shared.run["scheme"] ?? "") ? (shared.run["scheme"] ?? "") : "";
        this.step.value = shared.run["step"] ?? "";
        this.end.value = shared.run["end"] ?? "";
        this.editor.text = text;
        this.sliders.show(text, shared.values);
        this.runSoon(0);
        return true;
    }
}

const root = document.getElementById("page");
if (root) {
    const page = new Page(root);
    Object.assign(window, { caromPlayground: { run: page.runJob.bind(page), examples: shipped.examples, schemes: shipped.schemes } });
    void page.start();
}
