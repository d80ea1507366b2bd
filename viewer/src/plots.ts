// SPDX-License-Identifier: Apache-2.0
// One plot for each kind of column and unit. Dragging zooms all of them, so do two fingers; a click seeks, names switch
// curves on and off.
import uPlot from "uplot";
import { indexAt, type Report, type Run } from "./data";
import { button, colour, element, seriesColour } from "./dom";
import { instant, quantity, scaleFor, ticks, titled } from "./format";
import type { Player } from "./player";

export interface Kind { id: string; title: string; axis: string; groups: string[] }
export const kinds: Kind[] = [
    { id: "gap", title: "Gaps", axis: "gap", groups: ["gap"] },
    { id: "energy", title: "Energy", axis: "energy", groups: ["energy"] },
    { id: "impulse", title: "Impulses", axis: "impulse", groups: ["P", "PT"] },
    { id: "force", title: "Contact forces", axis: "force", groups: ["la", "laT"] },
    { id: "q", title: "Coordinates", axis: "coordinate", groups: ["q"] },
    { id: "u", title: "Rates", axis: "rate", groups: ["u"] },
    { id: "rate", title: "Gap and slip rates", axis: "rate", groups: ["rate", "slip"] },
    { id: "drift", title: "Constraints", axis: "violation", groups: ["drift"] },
    { id: "reaction", title: "Forces of constraints", axis: "force", groups: ["laC"] },
    { id: "reaction-impulse", title: "Impulses of constraints", axis: "impulse", groups: ["PC"] },
    { id: "joint", title: "Forces and torques of joints", axis: "force", groups: ["laJ"] },
    { id: "joint-impulse", title: "Impulses of joints", axis: "impulse", groups: ["PJ"] },
    { id: "record", title: "Records", axis: "value", groups: ["record"] },
];

interface Curve { run: Run; runIndex: number; name: string; unit: string; hue: number; values: Float64Array; isShown: boolean }

const shownAtFirst = 8, chipsAtFirst = 12, plotHeight = 210;

/** The units of the columns of a kind, in their order; metres and radians do not share an axis. */
export function unitsOf(report: Report, kind: Kind): string[] {
    return [...new Set(report.runs.flatMap((r) => r.columns.filter((c) => kind.groups.includes(c.group)).map((c) => c.unit)))];
}

function curvesOf(report: Report, kind: Kind, unit: string): Curve[] {
    const hues = new Map<string, number>(), out: Curve[] = [];
    report.runs.forEach((run, runIndex) => {
        for (const c of run.columns) {
            if (!kind.groups.includes(c.group) || c.unit !== unit) continue;
            if (!hues.has(c.name)) hues.set(c.name, hues.size);
            const hue = hues.get(c.name) ?? 0;
            out.push({ run, runIndex, name: c.name, unit: c.unit, hue, values: c.values, isShown: hue < shownAtFirst });
        }
    });
    return out;
}

function isBusy(curve: Curve): boolean {
    return curve.values.some((v) => v !== 0 && isFinite(v));
}

const cell = (v: number): number | null => (isFinite(v) ? v : null);

const apart = 3; // pixels of the canvas

/** An impulse acts at an instant: between rows that can be told apart it is 0, and not on its way down. */
const impulsePath: uPlot.Series.PathBuilder = (u, index, first, last) => {
    const times = u.data[0], values = u.data[index] ?? [], path = new Path2D(), base = u.valToPos(0, "y", true);
    let before = NaN;
    for (let i = first; i <= last; i++) {
        const time = times[i], value = values[i];
        if (time === undefined || value === undefined || value === null) continue;
        const x = u.valToPos(time, "x", true);
        if (!(x - before <= apart)) {
            path.lineTo(isFinite(before) ? before : x, base);
            path.lineTo(x, base);
        }
        path.lineTo(x, u.valToPos(value, "y", true));
        before = x;
    }
    if (isFinite(before)) path.lineTo(before, base);
    return { stroke: path };
};

/** All curves over one list of times; undefined where a curve has no point there. */
function align(report: Report, curves: Curve[]): uPlot.AlignedData {
    const tables = report.runs.map((run): uPlot.AlignedData => [
        Array.from(run.t), ...curves.filter((c) => c.run === run).map((c) => Array.from(c.values, cell)),
    ]);
    return tables.length === 1 ? (tables[0] as uPlot.AlignedData) : uPlot.join(tables);
}

export class Panel {
    readonly root: HTMLElement;
    private readonly curves: Curve[];
    private readonly host = element("div", { class: "plot" });
    private readonly head = element("span", { class: "cursor-time" });
    private readonly playhead = element("div", { class: "playhead" });
    private readonly readouts: HTMLElement[] = [];
    private plot: uPlot | null = null;
    private isSyncing = false;
    private isDeep = false;

    constructor(private readonly report: Report, readonly kind: Kind, private readonly unit: string, private readonly player: Player) {
        // in the order of the joined data: run by run
        this.curves = curvesOf(report, kind, unit);
        const place = unitsOf(report, kind).indexOf(unit), id = place > 0 ? `plot-${kind.id}-${place + 1}` : `plot-${kind.id}`;
        this.root = element("section", { class: "panel card", id, "aria-label": titled(kind.title, unit) });
        this.root.append(this.heading(), this.chips(), this.host);
        player.onTime(() => this.movePlayhead());
        player.onRange(() => this.followRange());
    }

    get isEmpty(): boolean { return this.curves.length === 0; }
    get isQuiet(): boolean { return !this.curves.some(isBusy); }

    private heading(): HTMLElement {
        const head = element("div", { class: "panel-head" }, element("h2", {}, this.kind.title), this.head);
        if (this.kind.id === "gap") {
            const deep = button("penetration", "zoom to the scale of the penetration", () => {
                this.isDeep = !this.isDeep;
                deep.setAttribute("aria-pressed", String(this.isDeep));
                this.plot?.redraw(true, true);
                this.plot?.setScale("x", { min: this.player.range.from, max: this.player.range.to });
            }, "small");
            deep.setAttribute("aria-pressed", "false");
            head.append(deep);
        }
        return head;
    }

    // one chip for each column; with several runs it switches all of them
    private chips(): HTMLElement {
        const names = [...new Map(this.curves.map((c) => [c.name, c.hue]))];
        const list = element("div", { class: "chips" }), rest: HTMLElement[] = [];
        for (const [name, hue] of names) {
            const isShown = () => this.curves.some((c) => c.name === name && c.isShown);
            const value = element("output"), chip = button("", `show or hide ${name}`, () => {
                const next = !isShown();
                this.curves.forEach((c, i) => {
                    if (c.name !== name) return;
                    c.isShown = next;
                    this.plot?.setSeries(i + 1, { show: next });
                });
                chip.setAttribute("aria-pressed", String(next));
            }, "chip");
            chip.setAttribute("aria-pressed", String(isShown()));
            chip.style.setProperty("--hue", `var(--series-${(hue % 8) + 1})`);
            chip.append(element("i"), name, value);
            this.readouts.push(value);
            if (names.length > chipsAtFirst && hue >= shownAtFirst) rest.push(chip);
            else list.append(chip);
        }
        // a family has as many names as members: the rest on request
        if (rest.length > 0) {
            const more = button(`${rest.length} more`, "show all names", () => {
                list.classList.add("all");
                more.replaceWith(...rest);
            }, "chip more");
            list.append(more);
        }
        return list;
    }

    private yRange = (_u: uPlot, low: number | null, high: number | null): [number, number] => {
        if (low === null || high === null || !isFinite(low) || !isFinite(high)) return [0, 1];
        if (this.isDeep) {
            const depth = this.depth();
            return [-1.4 * depth, 1.4 * depth];
        }
        const room = high > low ? 0.06 * (high - low) : Math.abs(high) > 0 ? 0.1 * Math.abs(high) : 1;
        return [low - room, high + room];
    };

    // the deepest penetration in the visible range, or a thousandth of the gaps where there is none
    private depth(): number {
        let deep = 0, largest = 0;
        for (const c of this.curves) {
            const last = indexAt(c.run.t, this.player.range.to);
            for (let i = indexAt(c.run.t, this.player.range.from); c.isShown && i <= last; i++) {
                const g = c.values[i] as number;
                if (!isFinite(g)) continue;
                deep = Math.max(deep, -g);
                largest = Math.max(largest, Math.abs(g));
            }
        }
        return deep > 0 ? deep : 1e-3 * largest || 1e-6;
    }

    private scaled(u: uPlot): { factor: number; unit: string } {
        const y = u.scales["y"];
        return scaleFor(Math.max(Math.abs(y?.min ?? 0), Math.abs(y?.max ?? 0)), this.unit);
    }

    /** Draws the plot anew, with the colours of the moment. */
    build(): void {
        this.plot?.destroy();
        const font = `12px ${getComputedStyle(document.body).fontFamily}`, stroke = colour("muted");
        const lines = { stroke: colour("grid"), width: 1 };
        const base = { stroke, font, labelFont: font, grid: lines, ticks: { ...lines, size: 5 }, labelSize: 22, gap: 5 };
        const options: uPlot.Options = {
            width: Math.max(200, this.host.clientWidth), height: plotHeight,
            legend: { show: false },
            padding: [8, 20, 0, 0],
            scales: { x: { time: false }, y: { range: this.yRange } },
            axes: [
                { ...base, label: "time [s]", size: 30, values: (_u, v) => ticks(v, 1), space: 70 },
                {
                    ...base, size: 58, space: 26,
                    label: (u: uPlot) => titled(this.kind.axis, this.scaled(u).unit),
                    values: (u, v) => ticks(v, this.scaled(u).factor),
                } as uPlot.Axis,
            ],
            series: [{}, ...this.curves.map((c) => this.series(c))],
            cursor: { drag: { x: true, y: false }, points: { size: 6 }, sync: { key: "carom" } },
            hooks: {
                setScale: [(u, key) => { if (key === "x") this.tellRange(u); }],
                setCursor: [(u) => this.readOut(u)],
                // after scales have taken effect
                draw: [() => this.movePlayhead()],
                ready: [(u) => this.attach(u)],
            },
        };
        this.plot = new uPlot(options, align(this.report, this.curves), this.host);
        this.followRange();
    }

    private series(c: Curve): uPlot.Series {
        const dash = [[], [7, 4], [2, 3], [9, 3, 2, 3]][c.runIndex % 4] ?? [];
        return {
            label: c.name, show: c.isShown, stroke: seriesColour(c.hue), width: 1.5, pxAlign: 0, points: { show: false },
            ...(dash.length > 0 ? { dash } : {}),
            ...(this.kind.axis === "impulse" ? { paths: impulsePath } : {}),
        };
    }

    private attach(u: uPlot): void {
        u.over.append(this.playhead);
        u.over.addEventListener("click", (e) => {
            if (u.select.width > 2) return;
            this.player.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
        });
        u.over.addEventListener("dblclick", () => this.player.reset());
        this.attachFingers(u);
        requestAnimationFrame(() => this.movePlayhead());
    }

    // two fingers keep the times that lie under them
    private attachFingers(u: uPlot): void {
        let held: [number, number] | null = null;
        const share = (e: TouchEvent, i: number): number => {
            const box = u.over.getBoundingClientRect();
            return ((e.touches[i]?.clientX ?? 0) - box.left) / (box.width || 1);
        };
        u.over.addEventListener("touchstart", (e) => {
            const { from, to } = this.player.range, at = (i: number): number => from + share(e, i) * (to - from);
            held = e.touches.length === 2 ? [at(0), at(1)] : null;
        }, { passive: true });
        u.over.addEventListener("touchmove", (e) => {
            const a = share(e, 0), b = share(e, 1);
            if (!held || e.touches.length !== 2 || Math.abs(b - a) < 0.02) return;
            e.preventDefault();
            const length = (held[1] - held[0]) / (b - a), from = held[0] - a * length;
            if (length > 0) this.player.zoom(from, from + length);
        }, { passive: false });
        u.over.addEventListener("touchend", () => { held = null; }, { passive: true });
    }

    private tellRange(u: uPlot): void {
        const { min, max } = u.scales["x"] ?? {};
        if (this.isSyncing || min === undefined || max === undefined || min === null || max === null) return;
        this.isSyncing = true;
        this.player.zoom(min, max);
        this.isSyncing = false;
    }

    private followRange(): void {
        const { from, to } = this.player.range;
        const x = this.plot?.scales["x"];
        if (!this.plot || (x?.min === from && x?.max === to)) return this.movePlayhead();
        const was = this.isSyncing;
        this.isSyncing = true;
        this.plot.setScale("x", { min: from, max: to });
        this.isSyncing = was;
        this.movePlayhead();
    }

    private movePlayhead(): void {
        const u = this.plot;
        if (!u) return;
        const x = u.valToPos(this.player.time, "x"), width = u.over.clientWidth;
        this.playhead.style.display = x >= 0 && x <= width ? "" : "none";
        this.playhead.style.transform = `translateX(${x}px)`;
        if (u.cursor.idx === null || u.cursor.idx === undefined) this.showValues(this.player.time, "");
    }

    private readOut(u: uPlot): void {
        const i = u.cursor.idx, t = i === null || i === undefined ? undefined : u.data[0][i];
        if (t === undefined) this.showValues(this.player.time, "");
        else this.showValues(t, `t = ${instant(t)} s`);
    }

    // values of the first run
    private showValues(t: number, text: string): void {
        this.head.textContent = text;
        const lead = this.curves.filter((c) => c.runIndex === 0);
        lead.forEach((c, i) => {
            const out = this.readouts[i];
            if (out && c.isShown) out.textContent = quantity(c.values[indexAt(c.run.t, t)], c.unit);
        });
    }

    resize(): void {
        const width = Math.max(200, this.host.clientWidth);
        if (this.plot && this.plot.width !== width) this.plot.setSize({ width, height: plotHeight });
    }
}
