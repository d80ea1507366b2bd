// SPDX-License-Identifier: Apache-2.0
// Many of one geometry, told anew for every picture: rods, cones and balls, of which all that is not a shape of a body
// is made. One call draws all of them.
import { type BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, type Material, Matrix4, Quaternion,
    SphereGeometry, Vector3 } from "three";

const along = new Vector3(0, 0, 1), none = new Quaternion();

class Many {
    private mesh: InstancedMesh;
    private n = 0;

    constructor(private readonly parent: Group, private readonly geometry: BufferGeometry, private readonly material: Material) {
        this.mesh = this.make(64);
    }

    private make(room: number): InstancedMesh {
        const mesh = new InstancedMesh(this.geometry, this.material, room);
        mesh.setColorAt(0, new Color());
        mesh.frustumCulled = false;
        mesh.castShadow = true;
        this.parent.add(mesh);
        return mesh;
    }

    begin(): void { this.n = 0; }

    push(matrix: Matrix4, colour: Color): void {
        if (this.n === this.mesh.instanceMatrix.count) {
            const old = this.mesh;
            this.mesh = this.make(2 * this.n);
            (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array as Float32Array);
            (this.mesh.instanceColor?.array as Float32Array).set(old.instanceColor?.array as Float32Array);
            this.parent.remove(old);
            old.dispose();
        }
        this.mesh.setMatrixAt(this.n, matrix);
        this.mesh.setColorAt(this.n++, colour);
    }

    end(): void {
        this.mesh.count = this.n;
        this.mesh.visible = this.n > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}

/** Rods, cones and balls; between begin and end they are told. */
export class Parts {
    readonly group = new Group();
    private readonly rods: Many;
    private readonly cones: Many;
    private readonly balls: Many;
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly way = new Vector3();

    /** isCoarse: there may be thousands */
    constructor(material: Material, isCoarse: boolean) {
        const corners = isCoarse ? 7 : 14, rod = new CylinderGeometry(1, 1, 1, corners, 1, isCoarse).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        const cone = new ConeGeometry(1, 1, corners).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        this.rods = new Many(this.group, rod, material);
        this.cones = new Many(this.group, cone, material);
        this.balls = new Many(this.group, new SphereGeometry(1, isCoarse ? 8 : 14, isCoarse ? 6 : 10), material);
    }

    begin(): void { for (const many of [this.rods, this.cones, this.balls]) many.begin(); }
    end(): void { for (const many of [this.rods, this.cones, this.balls]) many.end(); }

    private between(many: Many, a: Vector3, b: Vector3, radius: number, colour: Color): void {
        const length = this.way.subVectors(b, a).length();
        if (!(length > 0)) return;
        this.turn.setFromUnitVectors(along, this.way.divideScalar(length));
        many.push(this.matrix.compose(a, this.turn, this.way.set(radius, radius, length)), colour);
    }

    rod(a: Vector3, b: Vector3, radius: number, colour: Color): void { this.between(this.rods, a, b, radius, colour); }

    ball(at: Vector3, radius: number, colour: Color): void {
        this.balls.push(this.matrix.compose(at, none, this.way.set(radius, radius, radius)), colour);
    }

    arrow(a: Vector3, b: Vector3, radius: number, colour: Color): void {
        const length = a.distanceTo(b), neck = a.clone().lerp(b, Math.max(0, 1 - (4.5 * radius) / (length || 1)));
        this.rod(a, neck, radius, colour);
        this.between(this.cones, neck, b, 2.4 * radius, colour);
    }

    line(points: Vector3[], radius: number, colour: Color): void {
        for (let i = 1; i < points.length; i++) this.rod(points[i - 1] as Vector3, points[i] as Vector3, radius, colour);
    }
}
