// SPDX-License-Identifier: Apache-2.0
// The picture of a study: its points, and which run stands for each. A click shows that run.
import type { StudyMap } from "./data";
import { button, colour, element, seriesColour } from "./dom";
import { roundRate } from "./player";

const height = 320, left = 64, right = 14, top = 12, bottom = 40; // [px]

interface Scale { low: number; high: number; from: number; to: number }

function scaleOf(values: Float64Array, from: number, to: number): Scale {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(low < high)) [low, high] = [(Number.isFinite(low) ? low : 0) - 0.5, (Number.isFinite(low) ? low : 0) + 0.5];
    const room = 0.03 * (high - low);
    return { low: low - room, high: high + room, from, to };
}

const place = (s: Scale, v: number): number => s.from + ((s.to - s.from) * (v - s.low)) / (s.high - s.low);

function ticks(s: Scale): number[] {
    const step = roundRate((s.high - s.low) / 5), out: number[] = [];
    for (let v = Math.ceil(s.low / step) * step; v <= s.high; v += step) out.push(Math.abs(v) < step / 1e6 ? 0 : v);
    return out;
}

export class MapCard {
    readonly root: HTMLElement;
    private readonly canvas = element("canvas", { class: "map", role: "img" });
    private readonly runs: number[];
    private shown = -1;
    private x: Scale = { low: 0, high: 1, from: 0, to: 1 };
    private y: Scale = this.x;

    constructor(private readonly map: StudyMap, private readonly show: (run: number) => void) {
        this.runs = [...new Set(map.run)].filter((r) => r >= 0).sort((a, b) => a - b);
        this.canvas.setAttribute("aria-label", `${map.yLabel} over ${map.xLabel}; a click on a point shows its motion`);
        const steps = element("span", { class: "zoom" },
            button("‹", "the motion before", () => this.step(-1), "small"),
            button("›", "the next motion", () => this.step(1), "small"));
        this.root = element("section", { class: "card study" },
            element("div", { class: "study-bar" }, element("h2", {}, map.title),
                element("span", { class: "note" }, "Click a ringed point to see its motion."), steps), this.canvas);
        this.canvas.addEventListener("click", (e) => this.pick(e.offsetX, e.offsetY));
        new ResizeObserver(() => this.draw()).observe(this.root);
    }

    choose(run: number): void {
        if (run < 0) return;
        this.shown = run;
        this.draw();
        this.show(run);
    }

    first(): void { this.choose(this.runs[Math.floor(this.runs.length / 2)] ?? -1); }

    private step(by: number): void {
        const at = this.runs.indexOf(this.shown) + by;
        this.choose(this.runs[Math.min(this.runs.length - 1, Math.max(0, at))] ?? -1);
    }

    private pick(px: number, py: number): void {
        let best = -1, distance = Infinity;
        this.map.run.forEach((run, i) => {
            if (run < 0) return;
            const d = Math.hypot(place(this.x, this.map.x[i] as number) - px, place(this.y, this.map.y[i] as number) - py);
            if (d < distance) { distance = d; best = run; }
        });
        this.choose(best);
    }

    private axes(g: CanvasRenderingContext2D, width: number): void {
        g.strokeStyle = colour("grid");
        g.fillStyle = colour("muted");
        g.font = "12px system-ui, sans-serif";
        g.textAlign = "center";
        for (const v of ticks(this.x)) {
            const at = place(this.x, v);
            g.beginPath(); g.moveTo(at, top); g.lineTo(at, height - bottom); g.stroke();
            g.fillText(String(Number(v.toPrecision(6))), at, height - bottom + 16);
        }
        g.fillText(this.map.xLabel, (left + width - right) / 2, height - 6);
        g.textAlign = "right";
        for (const v of ticks(this.y)) {
            const at = place(this.y, v);
            g.beginPath(); g.moveTo(left, at); g.lineTo(width - right, at); g.stroke();
            g.fillText(String(Number(v.toPrecision(4))), left - 6, at + 4);
        }
        g.save();
        g.translate(12, (top + height - bottom) / 2);
        g.rotate(-Math.PI / 2);
        g.textAlign = "center";
        g.fillText(this.map.yLabel, 0, 0);
        g.restore();
    }

    private points(g: CanvasRenderingContext2D): void {
        const { map } = this, small = map.x.length > 4000 ? 0.8 : 1.6;
        for (let i = 0; i < map.x.length; i++) {
            const x = place(this.x, map.x[i] as number), y = place(this.y, map.y[i] as number), run = map.run[i] as number;
            if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
            g.fillStyle = seriesColour(map.group[i] as number);
            g.beginPath(); g.arc(x, y, small, 0, 2 * Math.PI); g.fill();
            if (run < 0) continue;
            g.strokeStyle = run === this.shown ? colour("impact") : colour("soft");
            g.lineWidth = run === this.shown ? 2 : 1;
            g.beginPath(); g.arc(x, y, run === this.shown ? 6 : 4, 0, 2 * Math.PI); g.stroke();
        }
    }

    draw(): void {
        const width = this.canvas.clientWidth, g = this.canvas.getContext("2d"), ratio = window.devicePixelRatio || 1;
        if (!g || width < 100) return;
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        g.scale(ratio, ratio);
        this.x = scaleOf(this.map.x, left, width - right);
        this.y = scaleOf(this.map.y, height - bottom, top);
        g.clearRect(0, 0, width, height);
        this.axes(g, width);
        this.points(g);
    }
}
