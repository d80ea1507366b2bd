// SPDX-License-Identifier: Apache-2.0
// What a shape looks like in three dimensions. Normals are shared by triangles that meet smoothly; one half of what looks
// the same from all sides is darker, so that it can be seen to turn.
import { BufferAttribute, BufferGeometry, SphereGeometry, Vector3 } from "three";
import type { Look } from "../data";
import { netOf } from "../matter";

const smoothCosine = Math.cos(0.6), dark = 0.62;

function paintHalf(geometry: BufferGeometry, isDark: (corner: number) => boolean): BufferGeometry {
    const n = geometry.getAttribute("position").count, shade = new Float32Array(3 * n).fill(1);
    for (let i = 0; i < n; i++) if (isDark(i)) shade.fill(dark, 3 * i, 3 * i + 3);
    return geometry.setAttribute("color", new BufferAttribute(shade, 3));
}

// the axis of what is round about one: the spread of its points about it is unlike the other two
function axisOf(points: Float32Array, middle: Vector3): Vector3 {
    const m = [0, 0, 0, 0, 0, 0], p = new Vector3();
    for (let i = 0; i < points.length; i += 3) {
        p.fromArray(points, i).sub(middle);
        [p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z].forEach((x, k) => (m[k] = (m[k] as number) + x));
    }
    const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = m, third = (xx + yy + zz) / 3;
    const axis = new Vector3(0.31, 0.42, 0.85);
    for (let k = 0; k < 60; k++) {
        const { x, y, z } = axis;
        axis.set((xx - third) * x + xy * y + xz * z, xy * x + (yy - third) * y + yz * z, xz * x + yz * y + (zz - third) * z);
        if (axis.length() < 1e-9 * third) return new Vector3(0, 0, 1);
        axis.normalize();
    }
    return axis;
}

// two halves, of which the lower one is dark
function ball(middle: Vector3, radius: number, isFine: boolean): BufferGeometry {
    const [round, rise] = isFine ? [32, 10] : [10, 3];
    const halves = [0, 1].map((k) => new SphereGeometry(radius, round, rise, 0, 2 * Math.PI, (k * Math.PI) / 2, Math.PI / 2));
    const upper = (halves[0] as SphereGeometry).getAttribute("position").count, merged = new BufferGeometry();
    for (const name of ["position", "normal"])
        merged.setAttribute(name, new BufferAttribute(Float32Array.from(halves.flatMap((h) => Array.from(h.getAttribute(name).array))), 3));
    merged.setIndex(halves.flatMap((h, k) => Array.from(h.getIndex()?.array ?? [], (i) => i + k * upper)));
    return paintHalf(merged.rotateX(Math.PI / 2), (i) => i >= upper).translate(middle.x, middle.y, middle.z);
}

// corners of triangles with normals of their own, each the mean of those that meet there within an angle
function triangles(look: Look): BufferGeometry {
    const n = look.triangles.length, position = new Float32Array(3 * n), normal = new Float32Array(3 * n);
    const flat: Vector3[] = [], at = new Map<string, number[]>(), key = (i: number): string => `${look.points[3 * i]},${look.points[3 * i + 1]},${look.points[3 * i + 2]}`;
    for (let c = 0; c < n; c++) position.set(look.points.subarray(3 * (look.triangles[c] as number), 3 * (look.triangles[c] as number) + 3), 3 * c);
    const a = new Vector3(), b = new Vector3(), o = new Vector3();
    for (let t = 0; 3 * t < n; t++) {
        o.fromArray(position, 9 * t);
        a.fromArray(position, 9 * t + 3).sub(o);
        b.fromArray(position, 9 * t + 6).sub(o);
        flat.push(new Vector3().crossVectors(a, b));
        for (let k = 0; k < 3; k++) {
            const text = key(look.triangles[3 * t + k] as number), known = at.get(text);
            if (known) known.push(t);
            else at.set(text, [t]);
        }
    }
    const length = flat.map((v) => v.length() || 1), sum = new Vector3();
    for (let c = 0; c < n; c++) {
        const t = Math.floor(c / 3), own = flat[t] as Vector3;
        sum.set(0, 0, 0);
        for (const u of at.get(key(look.triangles[c] as number)) ?? []) {
            const other = flat[u] as Vector3;
            if (own.dot(other) >= smoothCosine * (length[t] as number) * (length[u] as number)) sum.add(other);
        }
        sum.normalize().toArray(normal, 3 * c);
    }
    return new BufferGeometry().setAttribute("position", new BufferAttribute(position, 3)).setAttribute("normal", new BufferAttribute(normal, 3));
}

const turning = new Set(["cylinder", "cone", "capsule", "ellipsoid"]);

/** The geometry of a look in axes of its body. */
export function geometryOf(look: Look, isFine: boolean): BufferGeometry {
    const net = netOf(look), middle = new Vector3(...net.middle);
    if (look.kind === "sphere") return ball(middle, net.radius, isFine);
    const made = triangles(look);
    if (!turning.has(look.kind)) return paintHalf(made, () => false);
    const axis = axisOf(look.points, middle), side = new Vector3(Math.abs(axis.x) < 0.7 ? 1 : 0, Math.abs(axis.x) < 0.7 ? 0 : 1, 0);
    side.addScaledVector(axis, -side.dot(axis));
    const at = made.getAttribute("position"), n = made.getAttribute("normal"), p = new Vector3();
    return paintHalf(made, (i) => {
        let sum = 0, lid = 0;
        for (let k = i - (i % 3), c = 0; c < 3; k++, c++) {
            sum += p.fromBufferAttribute(at, k).sub(middle).dot(side);
            lid += Math.abs(p.fromBufferAttribute(n, k).dot(axis)) / 3;
        }
        return sum < 0 && lid < 0.9; // lids are fans: half of one has no straight border
    });
}
