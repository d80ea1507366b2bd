// SPDX-License-Identifier: Apache-2.0
// Contacts and what they bear: marks, arrows along the normals, or force chains, which go from the middle of one body
// through the contact to the middle of the other and are the thicker the more they bear. They are drawn upon everything.
import { Color, Vector3 } from "three";
import { type Activity, type Pose, placeOf, sideOf, touchesAt } from "../contacts";
import type { Drawing, Run } from "../data";
import { isGround, netOf, placeOf as bodyPlaceOf, toView } from "../matter";
import type { Parts } from "./many";
import { ink } from "./ink";

export type ForceStyle = "arrows" | "chains" | "none";
/** share: 0 .. 1 of the force, half of it at a typical one */
interface Contact { point: Vector3; normal: Vector3; share: number; glow: number; one: number; two: number }

const none = 65535;

export class Forces {
    private readonly middles: ((values: ArrayLike<number>) => Vector3 | null)[];
    // of marks, and what the length of arrows is a part of: marks are small beside bodies
    private readonly thick: number;
    private readonly long: number;
    private force = new Color();
    private impact = new Color();
    private soft = new Color();
    private readonly depths = new Map<number, number>();

    constructor(private readonly run: Run, private readonly drawing: Drawing, private readonly activity: Activity,
        private readonly parts: Parts, size: number) {
        for (const shape of drawing.shapes)
            for (let k = 0; k < shape.points; k++) this.depths.set(shape.first + 2 * k, (shape.deep ?? 0) + k);
        this.middles = drawing.bodies.map((_, body) => {
            const look = drawing.looks.find((l) => l.body === body);
            return (values) => (look && !isGround(drawing, look)
                ? new Vector3(...toView(bodyPlaceOf(drawing, look, values), netOf(look).middle)) : null);
        });
        const radii = drawing.looks.filter((l) => !isGround(drawing, l)).map((l) => netOf(l).radius).sort((a, b) => a - b);
        const radius = radii[radii.length >> 1] ?? size;
        this.thick = Math.min(0.0065 * size, 0.13 * radius);
        this.long = Math.min(size, 18 * radius);
        this.recolour();
    }

    recolour(): void {
        this.force = ink("force");
        this.impact = ink("impact");
        this.soft = ink("soft");
    }

    /** Whether anything can be shown at all. */
    get isUseful(): boolean {
        return this.drawing.touches !== null || this.drawing.spots.some((s) => s.kind !== "none");
    }

    private lasting(pose: Pose, time: number, decay: number): Contact[] {
        const v = pose.values, out: Contact[] = [];
        this.drawing.spots.slice(0, this.activity.names.length).forEach((spot, i) => {
            const place = placeOf(this.run, pose, spot);
            if (!place) return;
            const share = this.activity.push(i, time), glow = this.activity.glow(i, time, decay);
            const point = new Vector3(place.x, place.y, v[spot.kind === "place" ? spot.a + 2 : this.depths.get(spot.a) ?? 0]);
            const normal = new Vector3(place.nx, place.ny, 0);
            if (spot.kind === "place") normal.set(v[spot.a + 3] as number, v[spot.a + 4] as number, v[spot.a + 5] as number).normalize().multiplyScalar(sideOf(this.drawing, spot.one));
            out.push({ point, normal, share, glow, one: spot.one ?? none, two: spot.two ?? none });
        });
        return out;
    }

    private passing(time: number): Contact[] {
        return touchesAt(this.run, time).map(({ x, y, z, nx, ny, nz, share, one, two }) =>
            ({ point: new Vector3(x, y, z), normal: new Vector3(nx, ny, nz).normalize(), share, glow: 0, one, two }));
    }

    draw(pose: Pose, time: number, decay: number, style: ForceStyle): void {
        if (style === "none") return;
        const all = [...this.lasting(pose, time, decay), ...this.passing(time)], mark = this.thick / (1 + all.length / 600);
        for (const contact of all) {
            const { point, normal, share, glow } = contact, colour = glow > 0 ? this.impact : this.force;
            if (glow > 0 || share > 0) this.parts.ball(point, mark * (1 + 1.5 * glow), colour);
            else this.parts.ball(point, 0.6 * mark, this.soft);
            if (share < 0.02) continue;
            if (style === "arrows") {
                const long = (0.03 + 0.15 * share) * this.long;
                this.parts.arrow(point, point.clone().addScaledVector(normal, long), 0.7 * mark, colour);
            } else {
                const thick = 2.2 * this.thick * share ** 1.5; // strong chains stand out
                for (const body of [contact.one, contact.two]) {
                    const middle = this.middles[body]?.(pose.values);
                    if (middle) this.parts.rod(point, middle, thick, colour);
                }
            }
        }
    }
}
