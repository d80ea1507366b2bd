// SPDX-License-Identifier: Apache-2.0
// Planes, which have no end: as much of them as the scene needs, cut out by a box, with a grid whose squares have a round
// size. A floor reaches further than what stands on it; of a wall there is no more than there are things before it.
// Planes are seen from outside of the matter only, so that no wall hides what is in a room.
import { Box3, BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial,
    type Vector3, Vector3 as Point } from "three";
import type { Drawing, Look } from "../data";
import { isGround, netOf, normalOf, placeOf, toView } from "../matter";
import { roundRate } from "../player";
import { ink, inkOf } from "./ink";

const squares = 14; // about, over the longest side of the scene

// what of a polygon is on the inner side of n.x <= c
function cut(points: Vector3[], n: Vector3, c: number): Vector3[] {
    const out: Vector3[] = [];
    points.forEach((p, i) => {
        const q = points[(i + 1) % points.length] as Vector3, a = n.dot(p) - c, b = n.dot(q) - c;
        if (a <= 0) out.push(p);
        if (a * b < 0) out.push(p.clone().lerp(q, a / (a - b)));
    });
    return out;
}

const axes = [new Point(1, 0, 0), new Point(0, 1, 0), new Point(0, 0, 1)];
function cutByBox(points: Vector3[], box: Box3): Vector3[] {
    let left = points;
    axes.forEach((axis) => (left = cut(cut(left, axis, box.max.dot(axis)), axis.clone().negate(), -box.min.dot(axis))));
    return left;
}

export class Ground {
    readonly group = new Group();
    /** size of a square [m]; 0 = there are no planes */
    readonly square: number;
    private readonly floors: { material: MeshLambertMaterial; look: Look }[] = [];
    private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.55 });

    /** box: of the scene, in axes of space */
    constructor(private readonly drawing: Drawing, values: ArrayLike<number>, box: Box3, basis: Matrix4) {
        const planes = drawing.looks.filter((l) => l.kind === "plane" && isGround(drawing, l)), size = box.getSize(new Point());
        this.square = planes.length > 0 ? roundRate(Math.max(size.x, size.y, size.z) / squares) : 0;
        const room = box.clone().expandByScalar(0.02 * Math.max(size.x, size.y, size.z)), middle = box.getCenter(new Point());
        const found = planes.map((look) => ({ look, ...this.planeOf(look, values, basis) }));
        // to where planes are, so that walls reach each other
        for (const { at, n } of found) room.expandByPoint(middle.clone().addScaledVector(n, n.dot(at.clone().sub(middle))));
        for (const { look, at, n } of found) this.add(look, at, n, room);
        this.recolour();
    }

    // a point of it and its normal, in axes of space
    private planeOf(look: Look, values: ArrayLike<number>, basis: Matrix4): { at: Vector3; n: Vector3 } {
        const place = placeOf(this.drawing, look, values), s = normalOf(look, 0);
        const n = new Point(...[place.right, place.up, place.depth].map((row) => row[0] * s[0] + row[1] * s[1] + row[2] * s[2]) as [number, number, number]);
        return { at: new Point(...toView(place, netOf(look).middle)).applyMatrix4(basis), n: n.applyMatrix4(basis).normalize() };
    }

    private add(look: Look, at: Vector3, n: Vector3, room: Box3): void {
        const own = room.clone(), size = room.getSize(new Point()), far = Math.max(size.x, size.y, size.z);
        if (n.z > 0.4) own.expandByVector(new Point(0.6 * far, 0.6 * far, Math.abs(n.z) < 0.999 ? 0.3 * far : 0));
        this.addPolygon(look, at, n, own);
    }

    private addPolygon(look: Look, at: Vector3, n: Vector3, room: Box3): void {
        // along axes of space where the plane allows it, so that squares stand where coordinates are round
        const e = new Point(Math.abs(n.x) > 0.9 ? 0 : 1, Math.abs(n.x) > 0.9 ? 1 : 0, 0);
        e.addScaledVector(n, -e.dot(n)).normalize();
        const f = new Point().crossVectors(n, e), far = 2 * room.getSize(new Point()).length();
        const origin = room.getCenter(new Point());
        origin.addScaledVector(n, n.dot(at.clone().sub(origin)));
        const corner = (a: number, b: number): Vector3 => origin.clone().addScaledVector(e, a * far).addScaledVector(f, b * far);
        const polygon = cutByBox([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], room);
        if (polygon.length < 3) return;
        const fan = polygon.slice(2).flatMap((p, i) => [polygon[0] as Vector3, polygon[i + 1] as Vector3, p]);
        const geometry = new BufferGeometry().setFromPoints(fan);
        geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(fan.flatMap(() => n.toArray())), 3));
        const material = new MeshLambertMaterial({ polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
        const mesh = new Mesh(geometry, material);
        mesh.receiveShadow = true;
        this.floors.push({ material, look });
        this.group.add(mesh);
        if (n.z > 0.4) this.group.add(new LineSegments(new BufferGeometry().setFromPoints(this.grid(polygon, e, f)), this.lines));
    }

    // lines of both directions, each from end to end of the polygon
    private grid(polygon: Vector3[], e: Vector3, f: Vector3): Vector3[] {
        const out: Vector3[] = [];
        for (const across of [e, f]) {
            const reach = polygon.map((p) => p.dot(across)), high = Math.max(...reach);
            for (let s = Math.ceil(Math.min(...reach) / this.square) * this.square; s <= high; s += this.square) {
                const ends: Vector3[] = [];
                polygon.forEach((p, i) => {
                    const q = polygon[(i + 1) % polygon.length] as Vector3, a = p.dot(across) - s, b = q.dot(across) - s;
                    if (a * b < 0 || (a === 0 && b !== 0)) ends.push(p.clone().lerp(q, a / (a - b)));
                });
                if (ends.length === 2) out.push(...ends);
            }
        }
        return out;
    }

    recolour(): void {
        for (const { material, look } of this.floors) material.color = look.colour === undefined ? ink("floor") : inkOf(look.colour);
        this.lines.color = ink("soft");
    }
}
