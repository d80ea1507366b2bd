// SPDX-License-Identifier: Apache-2.0
// From the axes of a drawing (right, up, depth: docs of Body in data.ts) to those of space, in which the camera turns.
//
//     x = B (right, up, depth)     B has a unit vector in each column, depth = right x up
import { Matrix4, Vector3 } from "three";
import type { Drawing } from "../data";

const unit = (axis: string): Vector3 => new Vector3(axis === "x" ? 1 : 0, axis === "y" ? 1 : 0, axis === "z" ? 1 : 0);

export function basisOf(drawing: Drawing): Matrix4 {
    const [right, up] = [...(drawing.view ?? "xy")].map(unit) as [Vector3, Vector3];
    return new Matrix4().makeBasis(right, up, new Vector3().crossVectors(right, up));
}

/** A direction from which the drawing is looked at first: z is up, and no face is seen edge on. */
export function firstDirection(drawing: Drawing): Vector3 {
    const depth = new Vector3().setFromMatrixColumn(basisOf(drawing), 2), isFromAbove = drawing.view === "xy";
    const turn = (isFromAbove ? -Math.PI / 2 : Math.atan2(depth.y, depth.x)) + 0.45, rise = isFromAbove ? 0.75 : 0.32;
    return new Vector3(Math.cos(rise) * Math.cos(turn), Math.cos(rise) * Math.sin(turn), Math.sin(rise));
}
