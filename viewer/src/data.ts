// SPDX-License-Identifier: Apache-2.0
// What `carom report` embeds in the page, and how it is unpacked.
import { isBarCovered } from "./matter";

export interface RawColumn { name: string; unit: string; group: string; offset: number; data: string }
export interface RawNumber { low: number; high?: number; data?: string }
/** body: what it belongs to where bodies are drawn by themselves */
export interface Shape { kind: string; first: number; points: number; sized: boolean; body?: string; /** depths, in space */ deep?: number }
/** place: of shapes that stay a contact, where its point and normal stand in a frame (-1 = it never presses); one, two: whose shapes */
export interface Spot {
    name: string; kind: string; a: number; b: number; c: number; nx: number; ny: number; offset: number;
    place?: number; one?: number; two?: number;
}
/** first: of the numbers that say where it is; in the plane x, y, R11, R21, in space right, up, depth and two rows of axes */
export interface Body { name: string; first: number }
/** what a shape looks like in axes of its body: lines take so many points each, one after the other */
export interface RawLook {
    body: number; kind: string; colour?: string; points?: string; lines?: number[]; triangles?: string;
    /** in place of points, lines and triangles: a copy of an earlier one, point by point scale * p + shift */
    like?: number; scale?: number; shift?: Vector;
}
/** contacts that come and go, at each frame: first (frames + 1) says which are its own, strong ones first */
export interface RawTouches {
    first: string; low: Vector; high: Vector; points: string; normals: string; bodies: string; forces: string; left_out: number;
}
/** view: of bodies in space, the axes to the right and up, as "xz" */
export interface RawDrawing {
    t: string; shapes: Shape[]; spots: Spot[]; view?: string; bodies: Body[]; looks: RawLook[]; numbers: RawNumber[];
    touches?: RawTouches;
}
export type Vector = [number, number, number];
export type RawEvent = [number, string, string, number | null, number | null, number | null, number | null];

export interface Audit {
    min_gap: number | null; max_drift: number; residual: number; cone_violation: number;
    energy_start: number; energy_end: number; work: number; impact_loss: number; friction_loss: number;
    energy_error: number;
    /** contact or constraint, and time, where the worst was; "" = nowhere */
    min_gap_at: string; min_gap_time: number | null; max_drift_at: string; max_drift_time: number | null;
    residual_at: string; residual_time: number | null;
    /** one line each */
    warnings: string;
}
export interface Counts {
    steps: number; impact_steps: number; contact_steps: number; events: number; unconverged: number; rejected: number;
}
export interface RawRun {
    path: string; model: string; scheme: string; solver: string; version: string; model_path: string; text: string;
    changes: string; options: string; step: number; end: number; rows: number; whole: boolean; reduced: boolean;
    columns_left_out: number; no_drawing: string; audit?: Audit; counts?: Counts; events_total: number;
    events: RawEvent[]; t: string; columns: RawColumn[]; about?: string; source?: string; drawing?: RawDrawing;
}
/** points of a study; run: which one stands for a point, -1 = none */
export interface RawMap { title: string; x_label: string; y_label: string; x: string; y: string; run: string; group: string }
export interface StudyMap {
    title: string; xLabel: string; yLabel: string; x: Float64Array; y: Float64Array; run: Int32Array; group: Int32Array;
}
export interface RawReport { version: string; runs: RawRun[]; map?: RawMap }

export interface Column { name: string; unit: string; group: string; values: Float64Array }
/** root: the number of the look that it is a copy of, or its own */
export interface Look {
    body: number; kind: string; colour?: string; points: Float32Array; lines: number[]; triangles: Uint32Array;
    root: number; scale: number; shift: Vector;
}
/** bodies: two for each, 65535 = none */
export interface Touches {
    first: Int32Array; points: Float64Array; normals: Float64Array; forces: Float32Array; bodies: Uint16Array;
    /** half of them press less */
    typical: number; leftOut: number;
}
export interface Drawing {
    t: Float64Array; shapes: Shape[]; spots: Spot[]; view?: string; bodies: Body[]; looks: Look[];
    /** names of bodies that move, as the file has them; where the file draws by itself, of those with shapes */
    order: string[];
    /** one for each number: its value in every frame, or a single one where it never changes */
    numbers: Float64Array[];
    touches: Touches | null;
}
export interface Run extends Omit<RawRun, "t" | "columns" | "drawing"> {
    name: string; t: Float64Array; columns: Column[]; byName: Map<string, Column>; drawing: Drawing | null;
}
export interface Report { version: string; runs: Run[]; start: number; end: number; map: StudyMap | null }

function bytes(text: string): ArrayBuffer {
    const raw = atob(text), out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out.buffer;
}

function column(raw: RawColumn): Column {
    const small = new Float32Array(bytes(raw.data)), values = new Float64Array(small.length);
    for (let i = 0; i < small.length; i++) values[i] = (small[i] as number) + raw.offset;
    return { name: raw.name, unit: raw.unit, group: raw.group, values };
}

function number(raw: RawNumber): Float64Array {
    if (raw.data === undefined || raw.high === undefined) return new Float64Array([raw.low]);
    const levels = new Uint16Array(bytes(raw.data)), out = new Float64Array(levels.length);
    const scale = (raw.high - raw.low) / 65535;
    for (let i = 0; i < levels.length; i++) out[i] = raw.low + scale * (levels[i] as number);
    return out;
}

function look(raw: RawLook, number: number, before: Look[]): Look {
    const { body, kind, scale = 1, shift = [0, 0, 0] } = raw, known = raw.like === undefined ? undefined : before[raw.like];
    const of = { body, kind, scale, shift, ...(raw.colour === undefined ? {} : { colour: raw.colour }) };
    if (!known)
        return { ...of, root: number, points: new Float32Array(bytes(raw.points ?? "")), lines: raw.lines ?? [],
            triangles: new Uint32Array(bytes(raw.triangles ?? "")) };
    const points = known.points.map((x, i) => scale * x + (shift[i % 3] as number));
    return { ...of, root: raw.like as number, points, lines: known.lines, triangles: known.triangles };
}

function touches(raw: RawTouches): Touches {
    const between = (text: string, low: Vector, high: Vector): Float64Array =>
        Float64Array.from(new Uint16Array(bytes(text)), (level, i) => {
            const a = low[i % 3] as number;
            return a + (((high[i % 3] as number) - a) * level) / 65535;
        });
    const forces = new Float32Array(bytes(raw.forces)), sorted = forces.slice().sort();
    return {
        first: new Int32Array(bytes(raw.first)), points: between(raw.points, raw.low, raw.high),
        normals: between(raw.normals, [-1, -1, -1], [1, 1, 1]), forces, bodies: new Uint16Array(bytes(raw.bodies)),
        typical: sorted[sorted.length >> 1] ?? 0, leftOut: raw.left_out,
    };
}

// a contact on a shape, and not found elsewhere, is where the shape says
function settled(spot: Spot, isCovered: (at: number) => boolean): Spot {
    const isOut = isCovered(spot.a) || (spot.kind !== "point" && isCovered(spot.b));
    if (!isOut && spot.kind !== "none") return spot;
    return spot.place === undefined || spot.place < 0 ? { ...spot, kind: "none" } : { ...spot, kind: "place", a: spot.place };
}

function drawing(raw: RawDrawing): Drawing {
    const looks: Look[] = [];
    for (const l of raw.looks) looks.push(look(l, looks.length, looks));
    const links = raw.shapes.filter((s) => s.kind === "link").map((s) => s.body ?? "");
    const order = [...new Set([...links, ...raw.bodies.map((b) => b.name)])].filter((name) => name !== "ground");
    const made = { ...raw, order, t: new Float64Array(bytes(raw.t)), looks, numbers: raw.numbers.map(number),
        touches: raw.touches ? touches(raw.touches) : null };
    // where the shape of a body is drawn in place of a bar, its contacts are on the shape and not at points of the bar
    const covered = made.shapes.filter((s) => isBarCovered(made, s));
    const isCovered = (at: number): boolean => covered.some((s) => at >= s.first && at < s.first + 2 * s.points);
    const spots = raw.spots.map((s) => settled(s, isCovered));
    return { ...made, spots, shapes: made.shapes.filter((s) => !covered.includes(s)) };
}

function baseName(path: string): string {
    return (path.split("/").pop() ?? path).replace(/\.(h5|hdf5)$/, "");
}

function run(raw: RawRun, all: RawRun[], index: number): Run {
    const columns = raw.columns.map(column);
    const differ = (of: (r: RawRun) => string): number => new Set(all.map(of)).size;
    const models = differ((r) => r.model), file = (r: RawRun): string => baseName(r.path);
    // the shortest name that tells the runs apart
    const name = models === 1 && differ((r) => r.scheme) === all.length ? raw.scheme
        : models === all.length ? raw.model : differ(file) === all.length ? file(raw)
        : differ((r) => r.path) === all.length ? raw.path : `${file(raw)} (${index + 1})`;
    return {
        ...raw, name, t: new Float64Array(bytes(raw.t)), columns,
        byName: new Map(columns.map((c) => [c.name, c])),
        drawing: raw.drawing ? drawing(raw.drawing) : null,
    };
}

function studyMap(raw: RawMap): StudyMap {
    return {
        title: raw.title, xLabel: raw.x_label, yLabel: raw.y_label, x: new Float64Array(bytes(raw.x)),
        y: new Float64Array(bytes(raw.y)), run: new Int32Array(bytes(raw.run)), group: new Int32Array(bytes(raw.group)),
    };
}

/** Of some runs of a page. */
export function reportOf(version: string, runs: Run[], map: StudyMap | null): Report {
    return {
        version, runs, map,
        start: Math.min(...runs.map((r) => r.t[0] ?? 0)),
        end: Math.max(...runs.map((r) => r.t[r.t.length - 1] ?? 0)),
    };
}

export function readReport(): Report {
    return unpack(JSON.parse(document.getElementById("data")?.textContent ?? "") as RawReport);
}

export function unpack(raw: RawReport): Report {
    return reportOf(raw.version, raw.runs.map((r, i) => run(r, raw.runs, i)), raw.map ? studyMap(raw.map) : null);
}

/** The last index whose value is <= x, at least 0; values increase. */
export function indexAt(values: ArrayLike<number>, x: number): number {
    let low = 0, high = values.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((values[middle] as number) <= x) low = middle;
        else high = middle - 1;
    }
    return low;
}
