// SPDX-License-Identifier: Apache-2.0
// Pins in bores, with the play between them drawn large: the bore as a circle, the pin as a smaller one that stands
// where it stands, its way out of the middle enlarged by as much as the play.
import type { Pose } from "./contacts";
import type { Run } from "./data";

export interface Journal { spot: number; name: string; play: number; factor: number }

const smallShare = 0.06;           // of the drawing: play below is drawn so
const mostCells = 6, pinShare = 0.66; // of the bore's radius for the pin

/** The pins of a drawing whose play is small against it. */
export function findJournals(run: Run, size: number): Journal[] {
    const spots = run.drawing?.spots ?? [], out: Journal[] = [];
    spots.forEach((s, spot) => {
        if (s.kind !== "discs" || !(s.nx < 0) || !(s.offset > 0) || s.offset >= smallShare * size) return;
        const radius = run.drawing?.numbers[s.a + 2]?.[0] ?? 0;
        const factor = ((1 - pinShare) / s.offset) * (radius / pinShare);
        if (out.length < mostCells) out.push({ spot, name: s.name, play: s.offset, factor });
    });
    return out;
}

/** One pin in its bore, in pixels; `rim` is where they touch or would touch, `n` the direction of the push there. */
export interface JournalView {
    x: number; y: number; bore: number; pinX: number; pinY: number; pin: number; rim: [number, number]; n: [number, number];
}

export function journalView(run: Run, pose: Pose, journal: Journal, cell: number, cells: number, w: number, h: number): JournalView {
    const s = run.drawing?.spots[journal.spot], v = pose.values, wide = w / cells;
    const x = (cell + 0.5) * wide, y = h / 2, bore = 0.44 * Math.min(wide, h), pin = pinShare * bore;
    const dx = (v[s?.a ?? 0] ?? 0) - (v[s?.b ?? 0] ?? 0), dy = (v[(s?.a ?? 0) + 1] ?? 0) - (v[(s?.b ?? 0) + 1] ?? 0);
    const scale = (bore - pin) / journal.play, d = Math.hypot(dx, dy) || 1;
    const pinX = x + scale * dx, pinY = y - scale * dy;
    return { x, y, bore, pinX, pinY, pin, rim: [pinX + (pin * dx) / d, pinY - (pin * dy) / d], n: [-dx / d, dy / d] };
}
