// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies. In the plane their outlines, filled. In space their triangles, shaded by how they face the light,
// with the edges where the surface turns away: bodies are painted one after the other, the nearest last.
import { bodyColour } from "./bodies";
import type { Drawing, Look, Shape, Vector } from "./data";
import { colour } from "./dom";
import type { Ink, Projection } from "./shapes";

type Pixel = [number, number];
interface Net { middle: Vector; radius: number; edges: Int32Array; isCrease: Uint8Array; isDark: Uint8Array; view: Float64Array }

const light: Vector = [-0.37, 0.55, 0.75], shades = 14, creaseCosine = 0.85;
export const isEndless = (look: Look): boolean => look.kind === "half_plane" || look.kind === "plane";
const isConvex = (look: Look): boolean => look.kind !== "mesh" && look.kind !== "height_field";
export const isGround = (drawing: Drawing, look: Look): boolean => drawing.bodies[look.body]?.name === "ground";
const point = (look: Look, i: number): Vector =>
    [look.points[3 * i] as number, look.points[3 * i + 1] as number, look.points[3 * i + 2] as number];

/** How many numbers of a frame say where a body is. */
export const numbersOf = (drawing: Drawing): number => (drawing.view ? 9 : 4);

/** Where a body is: right, up and depth of its origin, and the rows of its axes. */
export interface Place { r: Vector; right: Vector; up: Vector; depth: Vector }
export function placeOf(drawing: Drawing, look: Look, v: ArrayLike<number>): Place {
    const first = drawing.bodies[look.body]?.first ?? 0, n = (i: number): number => v[first + i] as number;
    if (!drawing.view) {
        const d = Math.hypot(n(2), n(3)) || 1, c = n(2) / d, s = n(3) / d;
        return { r: [n(0), n(1), 0], right: [c, -s, 0], up: [s, c, 0], depth: [0, 0, 1] };
    }
    const unit = (x: number, y: number, z: number): Vector => {
        const d = Math.hypot(x, y, z) || 1;
        return [x / d, y / d, z / d];
    };
    const right = unit(n(3), n(4), n(5)), up = unit(n(6), n(7), n(8));
    return { r: [n(0), n(1), n(2)], right, up, depth: cross(right, up) };
}
const cross = (a: Vector, b: Vector): Vector =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export function toView(place: Place, s: Vector): Vector {
    return [place.r[0] + dot(place.right, s), place.r[1] + dot(place.up, s), place.r[2] + dot(place.depth, s)];
}

// edges between triangles, found by where their corners are: corners of two faces may be written twice
const nets = new WeakMap<Look, Net>();
export function netOf(look: Look): Net {
    const known = nets.get(look);
    if (known) return known;
    const n = look.points.length / 3, middle: Vector = [0, 0, 0];
    for (let i = 0; i < n; i++) point(look, i).forEach((x, k) => (middle[k as 0] += x / n));
    let radius = 0;
    for (let i = 0; i < n; i++) {
        const p = point(look, i);
        radius = Math.max(radius, Math.hypot(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]));
    }
    const place = new Map<string, number>(), same = new Int32Array(n);
    for (let i = 0; i < n; i++) {
        const key = point(look, i).join();
        if (!place.has(key)) place.set(key, i);
        same[i] = place.get(key) as number;
    }
    const net = { middle, radius, ...edgesOf(look, same), isDark: darkHalf(look, middle), view: new Float64Array(3 * n) };
    nets.set(look, net);
    return net;
}

export function normalOf(look: Look, t: number): Vector {
    const [a, b, c] = [0, 1, 2].map((k) => point(look, look.triangles[3 * t + k] as number)) as [Vector, Vector, Vector];
    const n = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]), d = Math.hypot(...n) || 1;
    return [n[0] / d, n[1] / d, n[2] / d];
}

// four numbers for each edge: its ends, the triangles on both sides (-1 = none)
function edgesOf(look: Look, same: Int32Array): { edges: Int32Array; isCrease: Uint8Array } {
    const list: number[] = [], at = new Map<string, number>();
    for (let t = 0; 3 * t < look.triangles.length; t++)
        for (let k = 0; k < 3; k++) {
            const a = look.triangles[3 * t + k] as number, b = look.triangles[3 * t + (k + 1) % 3] as number;
            const [i, j] = [same[a] as number, same[b] as number].sort((x, y) => x - y), key = `${i},${j}`, known = at.get(key);
            if (known !== undefined && list[known + 3] === -1) list[known + 3] = t;
            else if (i !== j) at.set(key, list.push(a, b, t, -1) - 4);
        }
    const isCrease = Uint8Array.from({ length: list.length / 4 }, (_, e) => {
        const [t, u] = [list[4 * e + 2] as number, list[4 * e + 3] as number];
        return u < 0 || dot(normalOf(look, t), normalOf(look, u)) < creaseCosine ? 1 : 0;
    });
    return { edges: Int32Array.from(list), isCrease };
}

// one half of what looks the same from all sides is darker, so that it can be seen to turn
function darkHalf(look: Look, middle: Vector): Uint8Array {
    const isDark = new Uint8Array(look.triangles.length / 3);
    if (look.kind !== "ellipsoid") return isDark;
    for (let t = 0; t < isDark.length; t++) {
        const z = [0, 1, 2].reduce((sum, k) => sum + point(look, look.triangles[3 * t + k] as number)[2], 0) / 3;
        isDark[t] = z < middle[2] ? 1 : 0;
    }
    return isDark;
}

/** Widens a box by the shapes of bodies that move in all frames; the ground may add half of its size. */
export function widenByMatter(drawing: Drawing, box: { x0: number; y0: number; x1: number; y1: number }): void {
    const now = new Float64Array(drawing.numbers.length);
    const widen = (into: typeof box, look: Look): void => {
        const net = netOf(look), n = look.points.length / 3, isSmall = n <= 8, first = drawing.bodies[look.body]?.first ?? 0;
        for (let frame = 0; frame < drawing.t.length; frame++) {
            for (let k = first; k < first + numbersOf(drawing); k++) {
                const number = drawing.numbers[k] as Float64Array;
                now[k] = (number.length > 1 ? number[frame] : number[0]) as number;
            }
            const place = placeOf(drawing, look, now), radius = isSmall ? 0 : net.radius;
            for (let i = 0; i < (isSmall ? n : 1); i++) {
                const [x, y] = toView(place, isSmall ? point(look, i) : net.middle);
                into.x0 = Math.min(into.x0, x - radius);
                into.x1 = Math.max(into.x1, x + radius);
                into.y0 = Math.min(into.y0, y - radius);
                into.y1 = Math.max(into.y1, y + radius);
            }
        }
    };
    const ends = drawing.looks.filter((look) => !isEndless(look)), ground = { ...box };
    for (const look of ends) if (!isGround(drawing, look)) widen(box, look);
    for (const look of ends) if (isGround(drawing, look)) widen(ground, look);
    const more = 0.5 * Math.max(box.x1 - box.x0, box.y1 - box.y0);
    if (!isFinite(more)) return void Object.assign(box, ground);
    box.x0 = Math.min(box.x0, Math.max(ground.x0, box.x0 - more));
    box.y0 = Math.min(box.y0, Math.max(ground.y0, box.y0 - more));
    box.x1 = Math.max(box.x1, Math.min(ground.x1, box.x1 + more));
    box.y1 = Math.max(box.y1, Math.min(ground.y1, box.y1 + more));
}

/** Whether a bar says nothing beside the shapes of its body: all its points are in them, as far as a ball around each. */
export function isBarCovered(drawing: Drawing, shape: Shape): boolean {
    const looks = drawing.looks.filter((l) => !isEndless(l) && drawing.bodies[l.body]?.name === shape.body);
    const at = drawing.numbers.map((n) => n[0] as number);
    if (shape.kind !== "link" || looks.length === 0) return false;
    for (let i = shape.first; i < shape.first + 2 * shape.points; i += 2) {
        const isIn = looks.some((look) => {
            const net = netOf(look), [x, y] = toView(placeOf(drawing, look, at), net.middle);
            return Math.hypot((at[i] as number) - x, (at[i + 1] as number) - y) <= 1.001 * net.radius;
        });
        if (!isIn) return false;
    }
    return true;
}

export function rgbOf(c: CanvasRenderingContext2D, name: string): Vector {
    c.fillStyle = "#808080"; // what is no colour leaves it
    c.fillStyle = name;
    const text = String(c.fillStyle);
    return text.startsWith("#") ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)) as Vector : [128, 128, 128];
}
const mixed = (a: Vector, b: Vector, share: number): string =>
    `rgb(${a.map((x, k) => Math.round(x + share * ((b[k] as number) - x))).join()})`;

// a wall as far as the canvas reaches: a line, hatched where the matter is
function drawWall(c: CanvasRenderingContext2D, p: Pixel, inside: Pixel, line: string): void {
    const ratio = window.devicePixelRatio || 1, w = c.canvas.width / ratio, h = c.canvas.height / ratio;
    const d = Math.hypot(...inside) || 1, nx = inside[0] / d, ny = inside[1] / d, ex = ny, ey = -nx;
    const along = (w / 2 - p[0]) * ex + (h / 2 - p[1]) * ey, long = w + h, space = 6, deep = 7;
    const at = (s: number, into: number): Pixel => [p[0] + (along + s) * ex + into * nx, p[1] + (along + s) * ey + into * ny];
    c.beginPath();
    c.moveTo(...at(-long, 0));
    c.lineTo(...at(long, 0));
    for (let s = -long - ((along - long) % space); s < long; s += space) {
        c.moveTo(...at(s, 0));
        c.lineTo(...at(s - deep, deep));
    }
    c.strokeStyle = line;
    c.lineWidth = 1.2;
    c.stroke();
}

/** Colours of one shape: of the file, else of its body; the ground is grey. */
interface Paint { base: string; rim: string; isGiven: boolean }
function paintOf(c: CanvasRenderingContext2D, drawing: Drawing, look: Look, ink: Ink): Paint {
    const name = drawing.bodies[look.body]?.name ?? "", isGiven = look.colour !== undefined;
    if (isGround(drawing, look) && (!isGiven || ink.isGhost)) return { base: colour("line"), rim: colour("soft"), isGiven: true };
    if (ink.isGhost) return { base: "transparent", rim: ink.line, isGiven: false };
    const base = look.colour ?? bodyColour(drawing, name);
    return { base, rim: isGiven || drawing.view ? mixed(rgbOf(c, base), rgbOf(c, colour("ink")), 0.45) : base, isGiven };
}

// an open curve goes from end to end: its ends are further apart than its points
function isClosed(look: Look, from: number, n: number): boolean {
    if (look.kind !== "curve") return true;
    const apart = (i: number, k: number): number => Math.hypot(...point(look, from + i).map((x, j) => x - (point(look, from + k)[j] as number)));
    let most = 0;
    for (let i = 1; i < n; i++) most = Math.max(most, apart(i - 1, i));
    return apart(n - 1, 0) < 2 * most;
}

function drawOutline(c: CanvasRenderingContext2D, p: Projection, place: Place, look: Look, paint: Paint, isGhost: boolean): void {
    const at = (s: Vector): Pixel => p.at(...(toView(place, s).slice(0, 2) as Pixel));
    let from = 0;
    c.lineJoin = c.lineCap = "round";
    for (const n of look.lines) {
        const closed = isClosed(look, from, n);
        c.beginPath();
        for (let i = 0; i < n; i++) i === 0 ? c.moveTo(...at(point(look, from))) : c.lineTo(...at(point(look, from + i)));
        if (closed) c.closePath();
        if (closed && !isGhost)
            for (const [fill, alpha] of [[colour("card"), 1], [paint.base, paint.isGiven ? 0.9 : 0.3]] as const) {
                c.globalAlpha = alpha;
                c.fillStyle = fill;
                c.fill();
            }
        c.globalAlpha = 1;
        if (look.kind === "disk") { // a spoke, so that it can be seen to turn
            c.moveTo(...at(netOf(look).middle));
            c.lineTo(...at(point(look, from)));
        }
        c.strokeStyle = paint.rim;
        c.lineWidth = 1.6;
        c.stroke();
        from += n;
    }
}

// a plane: a wall where it is seen along itself, all of the view where it is seen from above
function drawPlane(c: CanvasRenderingContext2D, p: Projection, place: Place, look: Look, paint: Paint, isGhost: boolean): void {
    const s = normalOf(look, 0), n = [dot(place.right, s), dot(place.up, s), dot(place.depth, s)] as Vector;
    const [x, y] = toView(place, netOf(look).middle), at = p.at(x, y), size = 1 / p.unit;
    const to = p.at(x - n[0] * size, y - n[1] * size);
    if (Math.abs(n[2]) < 0.02) return drawWall(c, at, [to[0] - at[0], to[1] - at[1]], paint.rim);
    if (n[2] < 0 || isGhost) return;
    c.globalAlpha = 0.45;
    c.fillStyle = paint.base;
    c.fillRect(0, 0, c.canvas.width, c.canvas.height);
    c.globalAlpha = 1;
}

function traceTriangle(c: CanvasRenderingContext2D, pixel: Pixel[], look: Look, t: number): void {
    for (let k = 0; k < 3; k++) {
        const at = pixel[look.triangles[3 * t + k] as number] as Pixel;
        k === 0 ? c.moveTo(...at) : c.lineTo(...at);
    }
    c.closePath();
}

function paintTriangles(c: CanvasRenderingContext2D, pixel: Pixel[], look: Look, triangles: number[], style: string): void {
    c.beginPath();
    for (const t of triangles) traceTriangle(c, pixel, look, t);
    c.fillStyle = c.strokeStyle = style;
    c.lineWidth = 0.8; // or the card would shine through between two shades
    c.fill();
    c.stroke();
}

// 0 .. shades - 1 of a triangle that faces who looks, else -1
function shadeOf(view: Float64Array, look: Look, t: number): number {
    const [a = 0, b = 0, c = 0] = [0, 1, 2].map((k) => 3 * (look.triangles[3 * t + k] as number));
    const v = (i: number): number => view[i] as number;
    const n = cross([v(b) - v(a), v(b + 1) - v(a + 1), v(b + 2) - v(a + 2)], [v(c) - v(a), v(c + 1) - v(a + 1), v(c + 2) - v(a + 2)]);
    const d = Math.hypot(...n);
    return d > 0 && n[2] > 1e-6 * d ? Math.round((shades - 1) * Math.max(0, dot(n, light) / d)) : -1;
}

// a ball is round without triangles: a light spot, and the dark half on the side of its own -z, whose border is half of a
// great circle and is seen as half of an ellipse
function drawBall(c: CanvasRenderingContext2D, p: Projection, place: Place, look: Look, paint: Paint, isGhost: boolean): void {
    const net = netOf(look), s = toView(place, net.middle), [x, y] = p.at(s[0], s[1]), r = net.radius * p.unit;
    const disc = (): void => {
        c.beginPath();
        c.arc(x, y, r, 0, 2 * Math.PI);
    };
    if (!isGhost) {
        const rgb = rgbOf(c, paint.base), fill = c.createRadialGradient(x - 0.37 * r, y - 0.55 * r, 0.1 * r, x, y, r);
        fill.addColorStop(0, mixed(rgb, [255, 255, 255], 0.3));
        fill.addColorStop(0.4, mixed([0, 0, 0], rgb, 1));
        fill.addColorStop(1, mixed([0, 0, 0], rgb, 0.65));
        disc();
        c.fillStyle = fill;
        c.fill();
        const towards = place.depth[2], turn = Math.atan2(-place.up[2], place.right[2]);
        c.beginPath();
        c.arc(x, y, r, turn + 0.5 * Math.PI, turn + 1.5 * Math.PI);
        c.ellipse(x, y, r * Math.abs(towards), r, turn, 1.5 * Math.PI, (towards > 0 ? 0.5 : 2.5) * Math.PI, towards > 0);
        c.fillStyle = "rgb(0,0,0,0.35)";
        c.fill();
    }
    disc();
    c.strokeStyle = paint.rim;
    c.lineWidth = 1.3;
    c.stroke();
}

function drawSolid(c: CanvasRenderingContext2D, p: Projection, place: Place, look: Look, paint: Paint, isGhost: boolean): void {
    const net = netOf(look), n = look.points.length / 3, nt = look.triangles.length / 3, pixel: Pixel[] = [];
    for (let i = 0; i < n; i++) {
        const s = toView(place, point(look, i));
        net.view.set(s, 3 * i);
        pixel.push(p.at(s[0], s[1]));
    }
    const shade = Int8Array.from({ length: nt }, (_, t) => shadeOf(net.view, look, t));
    c.lineJoin = c.lineCap = "round";
    if (!isGhost) fillSolid(c, pixel, look, net, shade, rgbOf(c, paint.base));
    c.beginPath();
    for (let e = 0; e < net.isCrease.length; e++) {
        const t = net.edges[4 * e + 2] as number, u = net.edges[4 * e + 3] as number;
        const isFront = (shade[t] as number) >= 0, isOther = u >= 0 && (shade[u] as number) >= 0;
        if (!(isFront || isOther) || (isFront && isOther && !net.isCrease[e])) continue;
        c.moveTo(...(pixel[net.edges[4 * e] as number] as Pixel));
        c.lineTo(...(pixel[net.edges[4 * e + 1] as number] as Pixel));
    }
    c.strokeStyle = paint.rim;
    c.lineWidth = 1.3;
    c.stroke();
}

function fillSolid(c: CanvasRenderingContext2D, pixel: Pixel[], look: Look, net: Net, shade: Int8Array, rgb: Vector): void {
    const style = (t: number): string => {
        const bright = (0.6 + (0.4 * (shade[t] as number)) / (shades - 1)) * (net.isDark[t] ? 0.7 : 1);
        return mixed([0, 0, 0], rgb, bright);
    };
    const seen = Array.from(shade.keys()).filter((t) => (shade[t] as number) >= 0);
    if (!isConvex(look)) {
        const depth = (t: number): number => [0, 1, 2].reduce((sum, k) => sum + (net.view[3 * (look.triangles[3 * t + k] as number) + 2] as number), 0);
        const deep = new Map(seen.map((t) => [t, depth(t)]));
        for (const t of seen.sort((a, b) => (deep.get(a) as number) - (deep.get(b) as number))) paintTriangles(c, pixel, look, [t], style(t));
        return;
    }
    const groups = new Map<string, number[]>();
    for (const t of seen) {
        const key = style(t), group = groups.get(key);
        if (group) group.push(t);
        else groups.set(key, [t]);
    }
    for (const [key, group] of groups) paintTriangles(c, pixel, look, group, key);
}

function drawLook(c: CanvasRenderingContext2D, p: Projection, drawing: Drawing, look: Look, place: Place, ink: Ink): void {
    const paint = paintOf(c, drawing, look, ink);
    if (look.kind === "plane") return drawPlane(c, p, place, look, paint, ink.isGhost);
    if (look.kind === "sphere") return drawBall(c, p, place, look, paint, ink.isGhost);
    if (drawing.view) return drawSolid(c, p, place, look, paint, ink.isGhost);
    if (look.kind !== "half_plane") return drawOutline(c, p, place, look, paint, ink.isGhost);
    // corners 0 and 1 are on its line, 2 is inside of it below 1
    const [on, inside] = [1, 2].map((i) => p.at(...(toView(place, point(look, i)).slice(0, 2) as Pixel))) as [Pixel, Pixel];
    drawWall(c, on, [inside[0] - on[0], inside[1] - on[1]], paint.rim);
}

/** All shapes of bodies; the ground is behind, then comes what is furthest. */
export function drawMatter(
    c: CanvasRenderingContext2D, p: Projection, drawing: Drawing, values: Float64Array, ink: Ink, isOfGround: boolean,
): void {
    const all = drawing.looks.filter((look) => isGround(drawing, look) === isOfGround).map((look) => {
        const place = placeOf(drawing, look, values);
        return { look, place, depth: look.kind === "plane" ? -Infinity : drawing.view ? toView(place, netOf(look).middle)[2] : 0 };
    });
    for (const { look, place } of all.sort((a, b) => (a.depth === b.depth ? 0 : a.depth - b.depth))) drawLook(c, p, drawing, look, place, ink);
}
