// SPDX-License-Identifier: Apache-2.0
// What is no shape of a body: bars, pins, rails, springs, and lines, discs and arrows of a draw section. A disc of a draw
// section says nothing of how it is turned: it is a ball.
import { Color, Vector3 } from "three";
import { bodyColour } from "../bodies";
import type { Drawing, Shape } from "../data";
import { isFixed } from "../shapes";
import type { Parts } from "./many";
import { ink, inkOf } from "./ink";

const coils = 8, corners = 10;

function spring(a: Vector3, b: Vector3, wide: number): Vector3[] {
    const way = new Vector3().subVectors(b, a), side = new Vector3(Math.abs(way.x) > Math.abs(way.z) ? 0 : 1, 0, Math.abs(way.x) > Math.abs(way.z) ? 1 : 0);
    side.cross(way).normalize();
    const other = new Vector3().crossVectors(way, side).normalize(), out = [a];
    for (let i = 0; i <= coils * corners; i++) {
        const turn = (2 * Math.PI * i) / corners, at = 0.1 + (0.8 * i) / (coils * corners);
        out.push(a.clone().addScaledVector(way, at).addScaledVector(side, wide * Math.cos(turn)).addScaledVector(other, wide * Math.sin(turn)));
    }
    return [...out, b];
}

export class Sketch {
    private readonly colours = new Map<Shape, Color>();
    private readonly ways = new Map<Shape, [number, number]>();

    constructor(private readonly drawing: Drawing, private readonly parts: Parts, private readonly size: number,
        private readonly ghost: (() => Color) | null) {
        this.recolour();
    }

    recolour(): void {
        for (const shape of this.drawing.shapes) {
            const isOwn = shape.body !== undefined && shape.body !== "ground";
            this.colours.set(shape, this.ghost ? this.ghost() : isFixed(this.drawing, shape) ? ink("soft")
                : isOwn ? inkOf(bodyColour(this.drawing, shape.body ?? "")) : ink("ink"));
        }
    }

    draw(values: ArrayLike<number>): void {
        for (const shape of this.drawing.shapes) {
            const points = Array.from({ length: shape.points }, (_, k) => new Vector3(
                values[shape.first + 2 * k], values[shape.first + 2 * k + 1], values[(shape.deep ?? 0) + k]));
            const size = shape.sized ? values[shape.first + 2 * shape.points] ?? 0 : 0;
            this.drawShape(shape, points, size, this.colours.get(shape) as Color);
        }
    }

    private drawShape(shape: Shape, points: Vector3[], size: number, colour: Color): void {
        const [a, b] = points, thin = 0.004 * this.size, bar = 0.011 * this.size, wide = size > 0 ? size / 2 : thin;
        if (!a) return;
        if (shape.kind === "disc") return this.parts.ball(a, size || bar, colour);
        if (shape.kind === "link") return this.drawLink(points, bar, colour);
        if (shape.kind === "pivot") return this.parts.ball(a, 1.25 * bar, ink("ink"));
        if (shape.kind === "support") return this.parts.ball(a, 1.7 * bar, ink("soft"));
        if (shape.kind === "rail") return this.drawRail(shape, points, bar);
        if (shape.kind === "spring" && b) return this.parts.line(spring(a, b, 0.05 * a.distanceTo(b)), 0.7 * thin, colour);
        if (shape.kind === "arrow" && b) return this.parts.arrow(a, b, thin, colour);
        this.parts.line(shape.kind === "polygon" ? [...points, a] : points, wide, colour);
    }

    // a bar, or all sides of a plate
    private drawLink(points: Vector3[], radius: number, colour: Color): void {
        for (const point of points) this.parts.ball(point, radius, colour);
        points.forEach((p, i) => points.slice(i + 1).forEach((q) => this.parts.rod(p, q, radius, colour)));
    }

    // from p1 in the direction of p3, as far as p2 goes in the whole run
    private drawRail(shape: Shape, [a, , c]: Vector3[], radius: number): void {
        if (!a || !c) return;
        const e = new Vector3().subVectors(c, a).normalize(), [low, high] = this.wayOf(shape), more = 3 * radius;
        this.parts.rod(a.clone().addScaledVector(e, low - more), a.clone().addScaledVector(e, high + more), 0.45 * radius, ink("soft"));
    }

    private wayOf(shape: Shape): [number, number] {
        const known = this.ways.get(shape);
        if (known) return known;
        const at = (place: number, frame: number): number => {
            const number = this.drawing.numbers[place] as Float64Array;
            return (number.length > 1 ? number[frame] : number[0]) as number;
        };
        const point = (k: number, frame: number): Vector3 =>
            new Vector3(at(shape.first + 2 * k, frame), at(shape.first + 2 * k + 1, frame), at((shape.deep ?? 0) + k, frame));
        const way: [number, number] = [Infinity, -Infinity];
        for (let i = 0; i < this.drawing.t.length; i++) {
            const a = point(0, i), s = point(1, i).sub(a).dot(point(2, i).sub(a).normalize());
            way[0] = Math.min(way[0], s);
            way[1] = Math.max(way[1], s);
        }
        this.ways.set(shape, way);
        return way;
    }
}
