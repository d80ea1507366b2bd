// SPDX-License-Identifier: Apache-2.0
// The event table, the audit with the split of the energy, and what was run.
import type { Audit, RawEvent, Report, Run } from "./data";
import { button, element } from "./dom";
import { instant, quantity } from "./format";
import type { Player } from "./player";

const rowsAtOnce = 60;
interface Row { run: number; event: RawEvent }

function select(label: string, values: string[], change: (value: string) => void): HTMLElement {
    const list = element("select", { "aria-label": label }, element("option", { value: "" }, `all ${label}`));
    for (const v of values) list.append(element("option", { value: v }, v));
    list.addEventListener("change", () => change(list.value));
    return list;
}

export class Events {
    readonly root = element("section", { class: "events card", "aria-label": "Events" });
    private readonly body = element("tbody");
    private readonly more: HTMLElement;
    private readonly rows: Row[];
    private shown = rowsAtOnce;
    private contact = "";
    private kind = "";
    private order = "time";

    constructor(private readonly report: Report, private readonly player: Player) {
        this.rows = report.runs.flatMap((r, run) => r.events.map((event): Row => ({ run, event })));
        this.rows.sort((a, b) => a.event[0] - b.event[0]);
        const unique = (i: 1 | 2) => [...new Set(this.rows.map((r) => r.event[i]))].sort();
        const filters = element("div", { class: "filters" },
            select("contacts", unique(1), (v) => { this.contact = v; this.fill(true); }),
            select("kinds", unique(2), (v) => { this.kind = v; this.fill(true); }));
        const order = element("select", { "aria-label": "order" }, element("option", { value: "time" }, "by time"),
            element("option", { value: "P" }, "strongest first"));
        order.addEventListener("change", () => { this.order = order.value; this.fill(true); });
        filters.append(order);
        this.more = button("show more", "show more events", () => { this.shown += 4 * rowsAtOnce; this.fill(false); }, "small");
        this.root.append(element("div", { class: "panel-head" }, element("h2", {}, "Events"), filters), this.table(), this.more,
            element("p", { class: "note" }, this.note()));
        this.fill(true);
    }

    private note(): string {
        const total = this.report.runs.reduce((n, r) => n + r.events_total, 0);
        const cut = total > this.rows.length ? `The ${this.rows.length} strongest of ${total} events. ` : `${total} events. `;
        return `${cut}A click shows the motion around an event.`;
    }

    private table(): HTMLElement {
        const names = ["time [s]", "contact", "what", "gap rate [m/s]", "impulse [N s]", "energy lost [J]"];
        if (this.report.runs.length > 1) names.splice(1, 0, "run");
        const head = element("tr", {}, ...names.map((n) => element("th", { scope: "col" }, n)));
        return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), this.body));
    }

    private fill(isNew: boolean): void {
        if (isNew) this.shown = rowsAtOnce;
        const rows = this.rows.filter((r) => (!this.contact || r.event[1] === this.contact) && (!this.kind || r.event[2] === this.kind));
        if (this.order === "P") rows.sort((a, b) => (b.event[5] ?? 0) - (a.event[5] ?? 0));
        this.body.replaceChildren(...rows.slice(0, this.shown).map((r) => this.line(r)));
        this.more.style.display = rows.length > this.shown ? "" : "none";
    }

    private line({ run, event }: Row): HTMLElement {
        const [t, contact, kind, before, after, P, lost] = event;
        const rate = before === null || after === null ? "–" : `${short(before)} → ${short(after)}`;
        const cells = [String(Number(t.toPrecision(7))), contact, kind, rate, short(P), short(lost)];
        if (this.report.runs.length > 1) cells.splice(1, 0, this.report.runs[run]?.name ?? "");
        const line = element("tr", { tabindex: "0", class: kind === "impact" ? "impact" : "" },
            ...cells.map((c) => element("td", {}, c)));
        const show = () => this.show(t);
        line.addEventListener("click", show);
        line.addEventListener("keydown", (e) => { if (e.key === "Enter") show(); });
        return line;
    }

    private show(t: number): void {
        const width = Math.min(0.02 * (this.player.whole.to - this.player.whole.from), this.player.range.to - this.player.range.from);
        this.player.zoom(t - width / 2, t + width / 2);
        this.player.seek(t);
        document.querySelector(".stage, .panel")?.scrollIntoView({ block: "nearest" });
    }
}

function short(value: number | null): string {
    if (value === null) return "–";
    return (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e4) || value === 0
        ? String(Number(value.toPrecision(4))).replace("-", "−")
        : value.toExponential(2).replace(/-/g, "−");
}

type Worst = "min_gap" | "max_drift" | "residual";
const auditRows: [Worst | "cone_violation", string, string, string][] = [
    ["min_gap", "smallest gap", "m", "deepest penetration at any step end"],
    ["max_drift", "largest drift", "", "how far constraints were left"],
    ["residual", "residual", "", "of the contact laws, relative"],
    ["cone_violation", "friction cone", "N s", "friction beyond mu times the normal impulse"],
];

// a number with the place and time where it was found
function worst(audit: Audit | undefined, key: Worst | "cone_violation", unit: string): string {
    const text = quantity(audit?.[key], unit);
    if (!audit || key === "cone_violation" || !audit[`${key}_at`]) return text;
    return `${text} (${audit[`${key}_at`]}, t = ${short(audit[`${key}_time`])} s)`;
}

function auditTable(report: Report): HTMLElement {
    const runs = report.runs, body = element("tbody");
    const add = (label: string, help: string, cells: string[]) =>
        body.append(element("tr", { title: help }, element("th", { scope: "row" }, label), ...cells.map((c) => element("td", {}, c))));
    for (const [key, label, unit, help] of auditRows) add(label, help, runs.map((r) => worst(r.audit, key, unit)));
    add("steps", "with contact, with impact", runs.map((r) => r.counts
        ? `${r.counts.steps} (${r.counts.contact_steps} contact, ${r.counts.impact_steps} impact)` : "–"));
    add("unconverged", "steps whose contact laws do not hold", runs.map((r) => (r.counts ? String(r.counts.unconverged) : "–")));
    const head = runs.length > 1
        ? element("thead", {}, element("tr", {}, element("th"), ...runs.map((r) => element("th", { scope: "col" }, r.name)))) : null;
    return element("div", { class: "scroll" }, element("table", { class: "audit-table" }, head, body));
}

// from the energy at the start to that at the end, step by step
function waterfall(run: Run, hasName: boolean): HTMLElement | null {
    const a = run.audit;
    if (!a) return null;
    const steps: [string, number, string][] = [
        ["start", a.energy_start, "level"], ["work", a.work, "change"], ["impacts", -a.impact_loss, "change"],
        ["friction", -a.friction_loss, "change"], ["numerical error", a.energy_error, "error"], ["end", a.energy_end, "level"],
    ];
    let level = 0;
    const spans = steps.map(([label, value, kind]) => {
        const from = kind === "level" ? 0 : level;
        level = kind === "level" ? value : level + value;
        return { label, value, kind, low: Math.min(from, level), high: Math.max(from, level) };
    });
    const low = Math.min(...spans.map((s) => s.low)), high = Math.max(...spans.map((s) => s.high)), range = high - low || 1;
    const list = element("div", { class: "waterfall", role: "list" });
    for (const s of spans) {
        const bar = element("span", { class: `bar ${s.kind}` });
        bar.style.left = `${(100 * (s.low - low)) / range}%`;
        bar.style.width = `${Math.max(0.4, (100 * (s.high - s.low)) / range)}%`;
        const sign = s.kind !== "level" && s.value > 0 ? "+" : "";
        list.append(element("div", { class: "fall", role: "listitem" }, element("span", { class: "fall-name" }, s.label),
            element("span", { class: "track" }, bar), element("span", { class: "fall-value" }, sign + quantity(s.value, "J"))));
    }
    return element("div", {}, hasName ? element("h3", {}, run.name) : null, list);
}

export function auditCard(report: Report): HTMLElement {
    const card = element("section", { class: "audit card", "aria-label": "Audit" },
        element("div", { class: "panel-head" }, element("h2", {}, "Audit")), auditTable(report),
        element("h3", {}, "Where the energy went"));
    for (const run of report.runs) card.append(waterfall(run, report.runs.length > 1) ?? "");
    return card;
}

function facts(run: Run): [string, string][] {
    const out: [string, string][] = [
        ["scheme", run.scheme], ["contact solver", run.solver], ["step", run.step > 0 ? quantity(run.step, "s") : "adaptive"],
        ["end", `${instant(run.end)} s`], ["recorded rows", String(run.rows) + (run.whole ? "" : " (partial: the run was cut off)")],
        ["carom", run.version], ["results", run.path], ["model file", run.model_path],
    ];
    if (run.changes) out.push(["changed", run.changes.replace(/\n/g, ", ")]);
    if (run.options) out.push(["options", run.options.replace(/\n/g, ", ")]);
    if (run.source) out.push(["source", run.source]);
    if (run.reduced) out.push(["shown", "envelopes of lowest and highest values; every row near strong impacts"]);
    if (run.columns_left_out > 0) out.push(["left out", `${run.columns_left_out} columns of groups with very many`]);
    return out.filter(([, value]) => value !== "");
}

export function modelCard(report: Report): HTMLElement {
    const card = element("section", { class: "model card", "aria-label": "Model" }), texts = new Set<string>();
    for (const run of report.runs) {
        const list = element("dl");
        for (const [name, value] of facts(run)) list.append(element("dt", {}, name), element("dd", {}, value));
        card.append(element("h2", {}, report.runs.length > 1 ? `Run: ${run.name}` : "What was run"), list);
        if (run.text && !texts.has(run.text))
            card.append(element("details", {}, element("summary", {}, "Model text"), element("pre", {}, run.text)));
        texts.add(run.text);
    }
    return card;
}
