// SPDX-License-Identifier: Apache-2.0
// Contacts as the drawing shows them: where they are, how hard they press, whether they were just hit.
import { indexAt, type Drawing, type Run, type Spot, type Vector } from "./data";
import { numbersOf } from "./matter";

export interface Place { x: number; y: number; nx: number; ny: number }

/** The frame of a drawing at a time: interpolated where the motion between two frames is small. */
export class Pose {
    readonly values: Float64Array;
    constructor(private readonly run: Run, private readonly size: number) {
        this.values = new Float64Array(run.drawing?.numbers.length ?? 0);
    }

    seek(time: number): void {
        const drawing = this.run.drawing;
        if (!drawing) return;
        const i = indexAt(drawing.t, time), j = Math.min(i + 1, drawing.t.length - 1);
        const t0 = drawing.t[i] as number, t1 = drawing.t[j] as number;
        const w = t1 > t0 ? Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) : 0;
        for (let k = 0; k < this.values.length; k++) {
            const number = drawing.numbers[k] as Float64Array;
            const a = (number.length > 1 ? number[i] : number[0]) as number;
            const b = (number.length > 1 ? number[j] : number[0]) as number;
            this.values[k] = Math.abs(b - a) < 0.1 * this.size ? a + w * (b - a) : w < 0.5 ? a : b;
        }
        for (const body of drawing.bodies) this.seekBody(drawing, body.first, i, j, w);
    }

    // a body as a whole: where it is and how it is turned, or the nearer of both frames
    private seekBody(drawing: Drawing, first: number, i: number, j: number, w: number): void {
        const n = numbersOf(drawing), nLength = drawing.view ? 3 : 2, values = drawing.numbers;
        const at = (k: number, frame: number): number => {
            const number = values[first + k] as Float64Array;
            return (number.length > 1 ? number[frame] : number[0]) as number;
        };
        let isNear = true;
        for (let k = 0; k < n; k++) isNear &&= Math.abs(at(k, j) - at(k, i)) < (k < nLength ? 0.1 * this.size : 0.5);
        for (let k = 0; k < n; k++) this.values[first + k] = isNear ? at(k, i) + w * (at(k, j) - at(k, i)) : at(k, w < 0.5 ? i : j);
    }
}

/** The radius of the disc whose centre stands at a, or 0. */
function radiusAt(run: Run, pose: Pose, a: number): number {
    const disc = run.drawing?.shapes.find((s) => s.kind === "disc" && s.first === a && s.sized);
    return disc ? (pose.values[a + 2] as number) : 0;
}

/** Normals push the first of two bodies; where that is the ground, the other one is looked at: -1. */
export function sideOf(drawing: Drawing | null, one: number | undefined): number {
    return drawing?.bodies[one ?? -1]?.name === "ground" ? -1 : 1;
}

/** Where a contact is and the direction in which it pushes, or null where that is not known. */
export function placeOf(run: Run, pose: Pose, spot: Spot): Place | null {
    const v = pose.values, x = v[spot.a] as number, y = v[spot.a + 1] as number;
    let nx = spot.nx, ny = spot.ny;
    if (spot.kind === "none" || x === undefined) return null;
    if (spot.kind === "place") {
        const n = spot.a + (run.drawing?.view ? 3 : 2), length = sideOf(run.drawing, spot.one) * (Math.hypot(v[n] as number, v[n + 1] as number) || 1);
        return { x, y, nx: (v[n] as number) / length, ny: (v[n + 1] as number) / length };
    }
    if (spot.kind === "discs") {
        const dx = x - (v[spot.b] as number), dy = y - (v[spot.b + 1] as number), d = Math.hypot(dx, dy) || 1;
        // inside a ring the push is towards its middle
        nx = (spot.nx * dx) / d;
        ny = (spot.nx * dy) / d;
    } else if (spot.kind === "edge") {
        const ex = (v[spot.c] as number) - (v[spot.b] as number), ey = (v[spot.c + 1] as number) - (v[spot.b + 1] as number);
        const d = Math.hypot(ex, ey) || 1;
        nx = (-ey / d) * spot.nx;
        ny = (ex / d) * spot.nx;
    }
    const radius = radiusAt(run, pose, spot.a);
    return { x: x - nx * radius, y: y - ny * radius, nx, ny };
}

/** A contact that comes and goes and presses, at one time; z: the depth in space. share: 0 .. 1, half of it at a typical force. */
export interface Touch { x: number; y: number; z: number; nx: number; ny: number; nz: number; share: number; one: number; two: number }

/** Those of the nearest frame: what comes and goes is not between two of them. */
export function touchesAt(run: Run, time: number): Touch[] {
    const drawing = run.drawing, touches = drawing?.touches, out: Touch[] = [];
    if (!drawing || !touches) return out;
    const i = indexAt(drawing.t, time), next = drawing.t[i + 1] ?? Infinity;
    const frame = time - (drawing.t[i] as number) > next - time ? i + 1 : i;
    for (let k = touches.first[frame] as number; k < (touches.first[frame + 1] as number); k++) {
        const [x, y, z] = touches.points.subarray(3 * k, 3 * k + 3) as unknown as Vector;
        const [nx, ny, nz] = touches.normals.subarray(3 * k, 3 * k + 3) as unknown as Vector, f = touches.forces[k] as number;
        const side = sideOf(drawing, touches.bodies[2 * k]);
        out.push({ x, y, z, nx: side * nx, ny: side * ny, nz: side * nz, share: f / (f + touches.typical), one: touches.bodies[2 * k] as number, two: touches.bodies[2 * k + 1] as number });
    }
    return out;
}

/** Forces and impacts of the contacts of a run over time. */
export class Activity {
    readonly names: string[];
    private readonly force: (Float64Array | null)[];
    private readonly impacts: Float64Array[];
    /** a typical force [N]; 0 where there is none */
    readonly reference: number;

    constructor(private readonly run: Run) {
        this.names = run.columns.filter((c) => c.group === "gap").map((c) => c.name.replace(/^gap_/, ""));
        const spacing = (run.t[run.t.length - 1] as number) / Math.max(1, run.rows - 1) || 1;
        this.force = this.names.map((name) => forceOf(run, name, spacing));
        // the last small ones of a contact that comes to rest do not light up
        const impacts = run.events.filter((e) => e[2] === "impact");
        const least = 0.005 * impacts.reduce((most, e) => Math.max(most, e[5] ?? 0), 0);
        this.impacts = this.names.map((name) =>
            Float64Array.from(impacts.filter((e) => e[1] === name && (e[5] ?? 0) >= least).map((e) => e[0])));
        const some: number[] = [];
        for (const f of this.force)
            if (f) for (let i = 0; i < f.length; i += 1 + (f.length >> 10)) if ((f[i] as number) > 0) some.push(f[i] as number);
        some.sort((a, b) => a - b);
        this.reference = some[some.length >> 1] ?? 0;
    }

    /** 0 .. 1 for a force, half of it at a typical one. */
    push(contact: number, time: number): number {
        const f = this.force[contact];
        const value = f ? (f[indexAt(this.run.t, time)] as number) : 0;
        return value > 0 ? value / (value + (this.reference || value)) : 0;
    }

    /** 1 at an impact, fading to 0 within `decay` seconds of the motion after it. */
    glow(contact: number, time: number, decay: number): number {
        const times = this.impacts[contact];
        if (!times || times.length === 0) return 0;
        const last = times[indexAt(times, time)] as number;
        return last <= time && time - last < decay ? 1 - (time - last) / decay : 0;
    }
}

// the force where the scheme has one, else the impulse over the time between rows
function forceOf(run: Run, name: string, spacing: number): Float64Array | null {
    const force = run.byName.get(`la_${name}`)?.values, impulse = run.byName.get(`P_${name}`)?.values;
    if (!force && !impulse) return null;
    const out = new Float64Array(run.t.length);
    for (let i = 0; i < out.length; i++) out[i] = Math.max(force?.[i] ?? 0, (impulse?.[i] ?? 0) / spacing);
    return out;
}
