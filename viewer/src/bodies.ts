// SPDX-License-Identifier: Apache-2.0
// Bodies as machine parts: bars and plates around their points, pins, supports on hatched ground, rails. Widths are in
// pixels, because a model of bodies says nothing of them.
import type { Drawing, Shape } from "./data";
import { colour, seriesColour } from "./dom";
import type { Projection } from "./shapes";

type Pixel = [number, number];
const barWidth = 11, pinRadius = 3.4;

/** The colour of a body: bodies are counted in the order of the file. */
export function bodyColour(drawing: Drawing, name: string): string {
    const i = drawing.order.indexOf(name);
    return i < 0 ? colour("soft") : seriesColour(i);
}

// the convex hull, counter-clockwise (Andrew's chain); duplicates vanish
function hull(points: Pixel[]): Pixel[] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o: Pixel, a: Pixel, b: Pixel): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (all: Pixel[]): Pixel[] => {
        const out: Pixel[] = [];
        for (const p of all) {
            while (out.length >= 2 && turn(out[out.length - 2] as Pixel, out[out.length - 1] as Pixel, p) <= 1e-6) out.pop();
            out.push(p);
        }
        return out.slice(0, -1);
    };
    return sorted.length < 2 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

function trace(c: CanvasRenderingContext2D, points: Pixel[]): void {
    c.beginPath();
    points.forEach((p, i) => (i === 0 ? c.moveTo(...p) : c.lineTo(...p)));
    // what has no length has no round ends either
    const [first, ...rest] = points;
    if (first && rest.every((q) => Math.hypot(q[0] - first[0], q[1] - first[1]) < 0.1)) c.lineTo(first[0] + 0.1, first[1]);
    c.closePath();
}

// a dark rim around a light inside: the same path twice, thick and less thick
export function drawLink(c: CanvasRenderingContext2D, points: Pixel[], line: string, isGhost: boolean): void {
    const shape = hull(points);
    if (shape.length === 0) return;
    trace(c, shape);
    c.lineJoin = c.lineCap = "round";
    if (isGhost) {
        c.strokeStyle = line;
        c.lineWidth = 1.4;
        c.stroke();
        return;
    }
    for (const [width, ink, alpha] of [[barWidth, line, 1], [barWidth - 3.2, colour("card"), 1], [barWidth - 3.2, line, 0.28]] as const) {
        c.globalAlpha = alpha;
        c.strokeStyle = c.fillStyle = ink;
        c.lineWidth = width;
        c.stroke();
        if (width < barWidth) c.fill();
    }
    c.globalAlpha = 1;
}

// short strokes below a line from a to b
function hatch(c: CanvasRenderingContext2D, a: Pixel, b: Pixel): void {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]), ex = (b[0] - a[0]) / (length || 1), ey = (b[1] - a[1]) / (length || 1);
    c.beginPath();
    c.moveTo(...a);
    c.lineTo(...b);
    for (let s = 5; s <= length; s += 5) {
        c.moveTo(a[0] + s * ex, a[1] + s * ey);
        c.lineTo(a[0] + (s - 5) * ex - 5 * ey, a[1] + (s - 5) * ey + 5 * ex);
    }
    c.strokeStyle = colour("soft");
    c.lineWidth = 1.2;
    c.stroke();
}

export function drawPin(c: CanvasRenderingContext2D, [x, y]: Pixel, isSupport: boolean): void {
    if (isSupport) {
        c.beginPath();
        c.moveTo(x, y);
        c.lineTo(x + 9, y + 14);
        c.lineTo(x - 9, y + 14);
        c.closePath();
        c.fillStyle = colour("card");
        c.strokeStyle = colour("soft");
        c.lineWidth = 1.4;
        c.fill();
        c.stroke();
        hatch(c, [x - 13, y + 14], [x + 13, y + 14]);
    }
    c.beginPath();
    c.arc(x, y, pinRadius, 0, 2 * Math.PI);
    c.fillStyle = colour("card");
    c.strokeStyle = colour("ink");
    c.lineWidth = 1.6;
    c.fill();
    c.stroke();
}

// how far p2 of a rail goes along it in the whole run, from p1 [m]
const ways = new WeakMap<Shape, [number, number]>();
function wayOf(drawing: Drawing, shape: Shape): [number, number] {
    const known = ways.get(shape);
    if (known) return known;
    const at = (number: number, frame: number): number => {
        const values = drawing.numbers[shape.first + number] as Float64Array;
        return (values.length > 1 ? values[frame] : values[0]) as number;
    };
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < drawing.t.length; i++) {
        const dx = at(4, i) - at(0, i), dy = at(5, i) - at(1, i), d = Math.hypot(dx, dy) || 1;
        const way = ((at(2, i) - at(0, i)) * dx + (at(3, i) - at(1, i)) * dy) / d;
        low = Math.min(low, way);
        high = Math.max(high, way);
    }
    ways.set(shape, [low, high]);
    return [low, high];
}

/** A line along which something slides, as long as it slides, with a sleeve around what slides. */
export function drawRail(c: CanvasRenderingContext2D, p: Projection, drawing: Drawing, shape: Shape, v: number[], line: string): void {
    const [x = 0, y = 0, bx = 0, by = 0, cx = 0, cy = 0] = v, d = Math.hypot(cx - x, cy - y);
    if (d < 1e-7) return; // seen along its axis
    const ex = (cx - x) / d, ey = (cy - y) / d, [low, high] = wayOf(drawing, shape);
    const side = (bx - x) * ey - (by - y) * ex, more = 20 / p.unit + 2 * Math.abs(side); // walls are hatched on the far side
    const from = p.at(x + (low - more) * ex, y + (low - more) * ey), to = p.at(x + (high + more) * ex, y + (high + more) * ey);
    if (shape.body === "ground") side > 1e-9 ? hatch(c, to, from) : hatch(c, from, to);
    else {
        c.beginPath();
        c.moveTo(...from);
        c.lineTo(...to);
        c.strokeStyle = line;
        c.lineWidth = 1.6;
        c.stroke();
    }
    if (Math.abs(side) > 1e-9) return;
    drawSleeve(c, p.at(bx, by), ex, -ey);
}

function drawSleeve(c: CanvasRenderingContext2D, [x, y]: Pixel, ex: number, ey: number): void {
    const corner = (a: number, b: number): Pixel => [x + a * ex - b * ey, y + a * ey + b * ex];
    trace(c, [corner(-12, -7), corner(12, -7), corner(12, 7), corner(-12, 7)]);
    c.fillStyle = colour("card");
    c.strokeStyle = colour("ink");
    c.lineWidth = 1.6;
    c.fill();
    c.stroke();
}
