// SPDX-License-Identifier: Apache-2.0
// How far a scene reaches: all that moves in all frames, and of the ground as much again at most.
import { Box3, Vector3 } from "three";
import type { Drawing } from "../data";
import { isEndless, isGround, netOf, numbersOf, placeOf, toView } from "../matter";

const mostFrames = 200;

/** The frame of a drawing as it was recorded. */
export function frameAt(drawing: Drawing, frame: number, into: Float64Array): void {
    drawing.numbers.forEach((number, k) => (into[k] = (number.length > 1 ? number[frame] : number[0]) as number));
}

function widenByBodies(box: Box3, ground: Box3, drawing: Drawing, values: Float64Array): void {
    const at = new Vector3();
    for (const look of drawing.looks) {
        if (isEndless(look)) continue;
        const net = netOf(look), into = isGround(drawing, look) ? ground : box;
        at.fromArray(toView(placeOf(drawing, look, values), net.middle));
        into.expandByPoint(at.clone().addScalar(net.radius)).expandByPoint(at.subScalar(net.radius));
    }
}

function widenByPoints(box: Box3, drawing: Drawing, values: Float64Array): void {
    for (const shape of drawing.shapes)
        for (let k = 0; k < shape.points; k++)
            box.expandByPoint(new Vector3(values[shape.first + 2 * k], values[shape.first + 2 * k + 1], values[(shape.deep ?? 0) + k]));
}

/** In axes of the drawing. */
export function extentOf(drawing: Drawing): Box3 {
    const box = new Box3(), ground = new Box3(), values = new Float64Array(drawing.numbers.length), n = drawing.t.length;
    if (drawing.looks.length > 0 && numbersOf(drawing) !== 9) return box;
    for (let i = 0; i < n; i += Math.max(1, Math.floor(n / mostFrames))) {
        frameAt(drawing, i, values);
        widenByBodies(box, ground, drawing, values);
        widenByPoints(box, drawing, values);
    }
    if (box.isEmpty()) return ground.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : ground;
    if (ground.isEmpty()) return box;
    const size = box.getSize(new Vector3());
    return box.union(ground.intersect(box.clone().expandByScalar(0.5 * Math.max(size.x, size.y, size.z))));
}
