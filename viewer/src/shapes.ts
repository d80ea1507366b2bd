// SPDX-License-Identifier: Apache-2.0
// The shapes of a drawing on a canvas, through any map from metres to pixels.
import { bodyColour, drawLink, drawPin, drawRail } from "./bodies";
import type { Drawing, Shape } from "./data";

/** From metres to pixels; `unit` is how many pixels a metre has where it is not stretched. */
export interface Projection { unit: number; at(x: number, y: number): [number, number] }
export interface Ink { line: string; fill: string; soft: string; width: number; isGhost: boolean }

// corners are mapped, lines between them stay straight in every view
function trace(c: CanvasRenderingContext2D, p: Projection, points: number[], isClosed: boolean): void {
    c.beginPath();
    for (let i = 0; i + 1 < points.length; i += 2) {
        const at = p.at(points[i] as number, points[i + 1] as number);
        if (i === 0) c.moveTo(...at);
        else c.lineTo(...at);
    }
    if (isClosed) c.closePath();
}

// a zigzag between two points
function spring(points: number[]): number[] {
    const [x = 0, y = 0, x1 = 0, y1 = 0] = points, out = [x, y], coils = 12;
    const dx = x1 - x, dy = y1 - y, length = Math.hypot(dx, dy) || 1, wide = 0.06 * length;
    for (let i = 1; i < coils; i++) {
        const at = 0.1 + (0.8 * i) / coils, side = (i % 2 === 0 ? wide : -wide) / length;
        out.push(x + at * dx - side * dy, y + at * dy + side * dx);
    }
    return [...out, x1, y1];
}

function arrowHead(c: CanvasRenderingContext2D, from: [number, number], to: [number, number], size: number): void {
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    c.beginPath();
    c.moveTo(to[0], to[1]);
    for (const turn of [-0.42, 0.42]) c.lineTo(to[0] - size * Math.cos(angle + turn), to[1] - size * Math.sin(angle + turn));
    c.closePath();
    c.fill();
}

export function drawArrow(
    c: CanvasRenderingContext2D, from: [number, number], to: [number, number], colour: string, width: number,
): void {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]), head = Math.min(9, 0.6 * length);
    if (length < 2) return;
    const back = 1 - (0.8 * head) / length;
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(...from);
    c.lineTo(from[0] + back * (to[0] - from[0]), from[1] + back * (to[1] - from[1]));
    c.stroke();
    arrowHead(c, from, to, head);
}

export function isFixed(drawing: Drawing, shape: Shape): boolean {
    const end = shape.first + 2 * shape.points;
    for (let i = shape.first; i < end; i++) if ((drawing.numbers[i]?.length ?? 0) > 1) return false;
    return true;
}

function drawDisc(c: CanvasRenderingContext2D, p: Projection, points: number[], radius: number): void {
    const [x, y] = p.at(points[0] ?? 0, points[1] ?? 0);
    c.beginPath();
    c.arc(x, y, Math.max(1.5, radius * p.unit), 0, 2 * Math.PI);
    c.fill();
    c.stroke();
}

// parts of bodies have the colours of their bodies, those of further runs that of the run
function drawPart(c: CanvasRenderingContext2D, p: Projection, drawing: Drawing, shape: Shape, points: number[], ink: Ink): boolean {
    const line = ink.isGhost ? ink.line : bodyColour(drawing, shape.body ?? "");
    const pixels: [number, number][] = [];
    for (let i = 0; i + 1 < points.length; i += 2) pixels.push(p.at(points[i] as number, points[i + 1] as number));
    if (shape.kind === "link") drawLink(c, pixels, line, ink.isGhost);
    else if (shape.kind === "rail") drawRail(c, p, drawing, shape, points, line);
    else if (shape.kind === "pivot" || shape.kind === "support") drawPin(c, pixels[0] ?? [0, 0], shape.kind === "support");
    else return false;
    return true;
}

export function drawShape(
    c: CanvasRenderingContext2D, p: Projection, drawing: Drawing, shape: Shape, values: Float64Array, ink: Ink,
): void {
    const points = Array.from(values.subarray(shape.first, shape.first + 2 * shape.points));
    const size = shape.sized ? (values[shape.first + 2 * shape.points] as number) : 0, fixed = isFixed(drawing, shape);
    if (shape.body !== undefined && drawPart(c, p, drawing, shape, points, ink)) return;
    c.strokeStyle = fixed ? ink.soft : shape.body === undefined || ink.isGhost ? ink.line : bodyColour(drawing, shape.body);
    c.fillStyle = ink.fill;
    c.lineJoin = c.lineCap = "round";
    c.lineWidth = shape.kind !== "disc" && size > 0 ? Math.max(1.5, size * p.unit) : ink.width * (fixed ? 0.8 : 1);
    if (shape.kind === "disc") return drawDisc(c, p, points, size);
    if (shape.kind === "arrow")
        return drawArrow(c, p.at(points[0] ?? 0, points[1] ?? 0), p.at(points[2] ?? 0, points[3] ?? 0), ink.line, ink.width);
    trace(c, p, shape.kind === "spring" ? spring(points) : points, shape.kind === "polygon");
    if (shape.kind === "polygon") c.fill();
    c.stroke();
}
