// SPDX-License-Identifier: Apache-2.0
// How far a scene reaches: all that moves in all frames, and of the ground as much again at most.
import { Box3, Vector3 } from "three";
import type { Drawing, Look } from "../data";
import { isEndless, isGround, netOf, numbersOf, type Place, placeOf, toView } from "../matter";

const mostFrames = 200;

/** The frame of a drawing as it was recorded. */
export function frameAt(drawing: Drawing, frame: number, into: Float64Array): void {
    drawing.numbers.forEach((number, k) => (into[k] = (number.length > 1 ? number[frame] : number[0]) as number));
}

// in axes of the body
const own = new WeakMap<Look, Box3>();
function ownBox(look: Look): Box3 {
    const known = own.get(look);
    if (known) return known;
    const box = new Box3().setFromArray(look.points);
    own.set(look, box);
    return box;
}

/** Where a shape can be: within the ball about its points, and within its own box as that is turned. */
function reachOf(look: Look, place: Place): Box3 {
    const net = netOf(look), inner = ownBox(look), half = inner.getSize(new Vector3()).multiplyScalar(0.5);
    const at = (s: Vector3): Vector3 => new Vector3(...toView(place, [s.x, s.y, s.z]));
    const reach = (row: number[]): number => Math.abs(row[0] as number) * half.x + Math.abs(row[1] as number) * half.y + Math.abs(row[2] as number) * half.z;
    const middle = at(inner.getCenter(new Vector3())), far = new Vector3(reach(place.right), reach(place.up), reach(place.depth));
    const turned = new Box3(middle.clone().sub(far), middle.clone().add(far));
    const ball = new Vector3(...toView(place, net.middle)), radius = new Vector3().setScalar(net.radius);
    return turned.intersect(new Box3(ball.clone().sub(radius), ball.clone().add(radius)));
}

function widenByBodies(box: Box3, ground: Box3, drawing: Drawing, values: Float64Array): void {
    for (const look of drawing.looks)
        if (!isEndless(look)) (isGround(drawing, look) ? ground : box).union(reachOf(look, placeOf(drawing, look, values)));
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
