// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies: those that are copies of one another are drawn at once. Where a body is changes with every picture,
// its colour with the style sheet.
import { Color, DoubleSide, Group, InstancedMesh, Matrix4, MeshLambertMaterial } from "three";
import { bodyColour } from "../bodies";
import type { Drawing, Look } from "../data";
import { isEndless, isGround, placeOf } from "../matter";
import { geometryOf } from "./geometry";
import { ink, inkOf } from "./ink";

const few = 150;
/** of a further run: what is not there but beside */
const ghostShare = 0.3, chainShare = 0.22;

interface Set { mesh: InstancedMesh; looks: Look[]; isOfGround: boolean; material: MeshLambertMaterial }

export class Solids {
    readonly group = new Group();
    readonly n: number;
    private readonly sets: Set[] = [];
    private readonly matrix = new Matrix4();

    /** ghost: the colour of a further run, or null */
    constructor(private readonly drawing: Drawing, private readonly ghost: (() => Color) | null) {
        const looks = drawing.looks.filter((l) => !isEndless(l) && !(ghost && isGround(drawing, l)));
        const sets = new Map<string, Look[]>();
        this.n = looks.length;
        for (const look of looks) {
            const key = `${look.root} ${isGround(drawing, look)}`, known = sets.get(key);
            if (known) known.push(look);
            else sets.set(key, [look]);
        }
        for (const set of sets.values()) this.add(set);
        this.recolour();
        this.seeThrough(false);
    }

    private add(looks: Look[]): void {
        const lead = looks[0] as Look, root = this.drawing.looks[lead.root] as Look;
        const material = new MeshLambertMaterial({ vertexColors: true });
        if (root.kind === "height_field") material.side = DoubleSide;
        const mesh = new InstancedMesh(geometryOf(root, this.n <= few), material, looks.length);
        mesh.frustumCulled = false;
        mesh.receiveShadow = true;
        mesh.castShadow = !this.ghost;
        this.sets.push({ mesh, looks, isOfGround: isGround(this.drawing, lead), material });
        this.group.add(mesh);
    }

    recolour(): void {
        const known = new Map<string, Color>();
        const of = (look: Look, isOfGround: boolean): Color => {
            if (this.ghost) return this.ghost();
            if (look.colour !== undefined) return inkOf(look.colour);
            const name = this.drawing.bodies[look.body]?.name ?? "";
            const colour = isOfGround ? ink("soft") : known.get(name) ?? inkOf(bodyColour(this.drawing, name));
            if (!isOfGround) known.set(name, colour);
            return colour;
        };
        for (const { mesh, looks, isOfGround } of this.sets) {
            looks.forEach((look, i) => mesh.setColorAt(i, of(look, isOfGround)));
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    /** Bodies as glass, so that what goes through them is seen. */
    seeThrough(isGlass: boolean): void {
        for (const { material, isOfGround } of this.sets) {
            const share = this.ghost ? ghostShare : isGlass && !isOfGround ? chainShare : 1, isOpaque = share === 1;
            material.transparent = !isOpaque;
            material.depthWrite = isOpaque;
            material.opacity = share;
            material.needsUpdate = true; // whether there is glass is compiled
        }
    }

    seek(values: ArrayLike<number>): void {
        for (const { mesh, looks } of this.sets) {
            looks.forEach((look, i) => {
                const { r, right: a, up: b, depth: c } = placeOf(this.drawing, look, values), k = look.scale, [x, y, z] = look.shift;
                this.matrix.set(
                    k * a[0], k * a[1], k * a[2], r[0] + a[0] * x + a[1] * y + a[2] * z,
                    k * b[0], k * b[1], k * b[2], r[1] + b[0] * x + b[1] * y + b[2] * z,
                    k * c[0], k * c[1], k * c[2], r[2] + c[0] * x + c[1] * y + c[2] * z, 0, 0, 0, 1);
                mesh.setMatrixAt(i, this.matrix);
            });
            mesh.instanceMatrix.needsUpdate = true;
        }
    }

    /** Which body an instance that was hit belongs to. */
    bodyOf(mesh: object, instance: number): number {
        return this.sets.find((set) => set.mesh === mesh)?.looks[instance]?.body ?? -1;
    }
}
