// SPDX-License-Identifier: Apache-2.0
// The clearance lens: a view that follows the contacts and stretches only the gaps, so that play of a millimetre in a
// mechanism of half a metre can be seen. Along the common normal of the contacts, the zones in which a gap opens and
// closes are drawn k times larger than all else; across it nothing is stretched, and straight lines stay straight.
// Only play is magnified, gaps between walls that face each other: how high a ball still hops when it comes to rest is
// no clearance.
import type { Run } from "./data";
import type { Place } from "./contacts";
import type { Projection } from "./shapes";

interface Zone { low: number; high: number }
export interface Lens {
    ex: number; ey: number;     // the normal
    zones: Zone[]; low: number; high: number; // along it [m]
    factor: number;             // how much larger the zones are
    isStretched: boolean;       // enough for that to matter; else the lens is a close-up
    reach: number;              // across it, from end to end of the contacts [m]
    spots: number[];            // which contacts
}

const share = 0.5;         // of the view's height for the zones
const mostFactor = 1000;   // beyond, a view says nothing of the mechanism
const smallShare = 0.06;   // of the drawing: gaps below are play

function largestGap(run: Run, name: string): number {
    let most = 0;
    for (const g of run.byName.get(`gap_${name}`)?.values ?? []) if (isFinite(g) && g > most) most = g;
    return most;
}

/** A lens where contacts face each other along one normal and their gaps are small against the drawing; else null. */
export function findLens(run: Run, places: (Place | null)[], size: number): Lens | null {
    const spots = run.drawing?.spots ?? [];
    const usable = spots.map((_, i) => i).filter((i) => {
        const gap = largestGap(run, spots[i]?.name ?? "");
        return spots[i]?.kind === "point" && places[i] && gap > 0 && gap < smallShare * size;
    });
    const cosine = (i: number, k: number): number =>
        (places[i]?.nx ?? 0) * (places[k]?.nx ?? 0) + (places[i]?.ny ?? 0) * (places[k]?.ny ?? 0);
    const leader = usable.find((i) => usable.some((k) => cosine(i, k) < -1 + 1e-9));
    const first = places[leader ?? -1];
    if (leader === undefined || !first) return null;
    const ex = first.nx, ey = first.ny;
    const chosen = usable.filter((i) => Math.abs(cosine(i, leader)) > 1 - 1e-9);
    const zones = chosen.map((i) => zoneOf(run, places[i] as Place, i, [ex, ey])).sort((a, b) => a.low - b.low);
    const merged: Zone[] = [];
    for (const z of zones) {
        const last = merged[merged.length - 1];
        if (last && z.low <= last.high) last.high = Math.max(last.high, z.high);
        else merged.push({ ...z });
    }
    const along = chosen.map((i) => (places[i]?.y ?? 0) * ex - (places[i]?.x ?? 0) * ey);
    const reach = Math.max(...along) - Math.min(...along);
    return finish({ ex, ey, zones: merged, spots: chosen, reach, low: 0, high: 0, factor: 1, isStretched: false });
}

// the wall is where the gap would be 0; the gap is on the side of the normal
function zoneOf(run: Run, place: Place, spot: number, e: [number, number]): Zone {
    const s = run.drawing?.spots[spot];
    const gap = largestGap(run, s?.name ?? ""), side = place.nx * e[0] + place.ny * e[1] > 0 ? 1 : -1;
    const now = run.byName.get(`gap_${s?.name}`)?.values[0] ?? 0;
    const wall = place.x * e[0] + place.y * e[1] - side * now;
    const ends = [wall - side * 0.25 * gap, wall + side * 1.1 * gap];
    return { low: Math.min(...ends), high: Math.max(...ends) };
}

function finish(lens: Lens): Lens | null {
    const low = lens.zones[0]?.low ?? 0, high = lens.zones[lens.zones.length - 1]?.high ?? 0, total = high - low;
    const zones = lens.zones.reduce((sum, z) => sum + z.high - z.low, 0), rest = total - zones;
    const pad = 0.16 * Math.max(total, 0.25 * lens.reach);
    lens.low = low - pad;
    lens.high = high + pad;
    lens.factor = Math.min(mostFactor, (share / (1 - share)) * ((rest + 2 * pad) / zones));
    lens.isStretched = lens.factor >= 1.5;
    if (!lens.isStretched) lens.factor = 1;
    return zones > 0 ? lens : null;
}

/** Where a coordinate along the normal goes, counted from the lower end in unstretched metres. */
function stretch(lens: Lens, r: number): number {
    let out = r - lens.low;
    for (const z of lens.zones) out += (lens.factor - 1) * (Math.min(Math.max(r, z.low), z.high) - z.low);
    return out;
}

export interface LensView extends Projection { bands: [number, number][]; isUpright: boolean }

/** The map of the lens into a rectangle of pixels; the contacts stand in its middle. */
export function lensView(lens: Lens, places: (Place | null)[], width: number, height: number): LensView {
    const { ex, ey } = lens, isUpright = Math.abs(ey) >= Math.abs(ex);
    const along = lens.spots.map((i) => (places[i]?.x ?? 0) * ey - (places[i]?.y ?? 0) * ex);
    const middle = (Math.min(...along) + Math.max(...along)) / 2;
    const tall = isUpright ? height : width, wide = isUpright ? width : height;
    const whole = stretch(lens, lens.high), across = Math.max(1.5 * lens.reach, 0.6 * (lens.high - lens.low));
    let unit = wide / Math.max(across, 1e-12), normal = tall / whole;
    // what is not stretched keeps its shape
    if (!lens.isStretched) unit = normal = Math.min(unit, normal);
    const room = (tall - normal * whole) / 2;
    const flip = isUpright ? ey >= 0 : ex >= 0;
    const at = (x: number, y: number): [number, number] => {
        const s = (x * ey - y * ex - middle) * unit, r = room + stretch(lens, x * ex + y * ey) * normal;
        const up = flip ? r : tall - r, side = flip ? s : -s;
        return isUpright ? [wide / 2 + side, tall - up] : [up, wide / 2 + side];
    };
    const bands = (lens.isStretched ? lens.zones : []).map((z): [number, number] => {
        const a = at(z.low * ex, z.low * ey), b = at(z.high * ex, z.high * ey), k = isUpright ? 1 : 0;
        return [Math.min(a[k], b[k]), Math.max(a[k], b[k])];
    });
    return { unit: Math.min(unit, normal), at, bands, isUpright };
}
