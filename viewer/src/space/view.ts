// SPDX-License-Identifier: Apache-2.0
// The scene in space: lights, a camera that mouse, fingers and keys turn, shift and bring nearer, and what stands in it.
// A picture is made when something has changed, and no oftener than the screen shows one. Where pictures come too slowly,
// shadows go first, then pixels.
import { AmbientLight, Box3, Color, DirectionalLight, Group, MeshLambertMaterial, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
    WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Drawing } from "../data";
import { button, element, seriesColour } from "../dom";
import { quantity } from "../format";
import type { Actor, SceneView, SceneWish } from "../stage";
import { netOf, placeOf, toView } from "../matter";
import { basisOf, firstDirection } from "./axes";
import { extentOf } from "./extent";
import { Forces, type ForceStyle } from "./forces";
import { Ground } from "./ground";
import { inkOf } from "./ink";
import { Parts } from "./many";
import { Sketch } from "./sketch";
import { Solids } from "./solids";

const fieldOfView = 28, mostNames = 400, nearSizes = 14; // radii of a body from which it is followed
const slowFrame = 40, patience = 12; // ms; pictures in a row
const reliefs = ["", "without shadows, to be quick enough", "without shadows and fine pixels while it plays, to be quick enough",
    "without shadows, with coarse pixels while it plays, to be quick enough"];

/** One run in the scene. */
interface Player3 { actor: Actor; drawing: Drawing; solids: Solids; sketch: Sketch; parts: Parts }

export class SpaceView implements SceneView {
    readonly bar = element("div", { class: "space-bar" });
    readonly notes: string[] = [];
    private readonly scene = new Scene();
    private readonly above = new Scene(); // drawn upon the rest
    private readonly camera = new PerspectiveCamera(fieldOfView, 1.5, 0.01, 100);
    private readonly world = new Group(); // in axes of the drawing
    private readonly worldAbove = new Group();
    private readonly sun = new DirectionalLight(0xffffff, 2.1);
    private readonly controls: OrbitControls;
    private readonly box: Box3; // in axes of space
    private readonly size: number;
    private readonly runs: Player3[];
    private readonly marks: Parts;
    private readonly forces: Forces;
    private readonly ground: Ground;
    private style: ForceStyle = "arrows";
    private followed = -1;
    private readonly followedAt = new Vector3();
    private readonly choice = element("select", { "aria-label": "follow" });
    private relief = 0; // how much is left out so that pictures come in time
    private readonly reliefNote = element("span", { class: "note" });
    private slow = 0;
    private lastDraw = 0;
    private isMoved = false; // the camera by hand

    /** null where the browser has no WebGL. */
    static open(wish: SceneWish): SceneView | null {
        const { canvas, actors } = wish, lead = actors[0]?.run.drawing;
        if (!lead?.view) return null;
        const probe = document.createElement("canvas").getContext("webgl2");
        if (!probe) return null;
        const facts = probe.getExtension("WEBGL_debug_renderer_info");
        const name = facts ? String(probe.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "";
        probe.getExtension("WEBGL_lose_context")?.loseContext();
        const isSoft = /swiftshader|llvmpipe|software/i.test(name) && !wish.isFilm, isMany = lead.looks.length > 150;
        try {
            const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !(isSoft && isMany) });
            return new SpaceView(wish, renderer, lead, isSoft && isMany ? 1 : 0);
        } catch {
            return null;
        }
    }

    private constructor(private readonly wish: SceneWish, private readonly renderer: WebGLRenderer, lead: Drawing, relief: number) {
        this.relieveBy(relief);
        const basis = basisOf(lead);
        this.world.applyMatrix4(basis);
        this.worldAbove.applyMatrix4(basis);
        this.scene.add(this.world);
        this.above.add(this.worldAbove);
        this.box = new Box3();
        for (const actor of wish.actors) if (actor.run.drawing?.view) this.box.union(extentOf(actor.run.drawing).applyMatrix4(basis));
        const size = this.box.getSize(new Vector3());
        this.size = Math.max(size.x, size.y, size.z) || 1;
        this.runs = wish.actors.flatMap((actor) => (actor.run.drawing?.view ? [this.enter(actor, actor.run.drawing)] : []));
        wish.actors[0]?.pose.seek(wish.start);
        this.ground = new Ground(lead, wish.actors[0]?.pose.values ?? [], this.box, basis);
        this.scene.add(this.ground.group);
        this.marks = new Parts(new MeshLambertMaterial(), lead.looks.length > 150);
        this.worldAbove.add(this.marks.group);
        const leading = wish.actors[0] as Actor;
        this.forces = new Forces(leading.run, lead, leading.activity, this.marks, this.size);
        this.light();
        this.controls = new OrbitControls(this.camera, wish.canvas);
        this.steer();
        this.fillBar(lead);
        this.notes.push(`Drag to turn, right button or two fingers to shift, wheel or spread to zoom${lead.bodies.length > 0 ? ", click a body to follow it" : ""}`);
        if (this.ground.square > 0) this.notes.push(`Squares of the ground: ${quantity(this.ground.square, "m").replace(/\.?0+ /, " ")}`);
        const leftOut = lead.touches?.leftOut ?? 0;
        if (leftOut > 0) this.notes.push(`Of very many contacts the strongest are shown; up to ${leftOut} of one instant are left out`);
    }

    private enter(actor: Actor, drawing: Drawing): Player3 {
        const ghost = actor.index > 0 ? () => inkOf(seriesColour(actor.index)) : null;
        const parts = new Parts(new MeshLambertMaterial(ghost ? { transparent: true, opacity: 0.4, depthWrite: false } : {}), drawing.shapes.length > 500);
        const solids = new Solids(drawing, ghost), sketch = new Sketch(drawing, parts, this.size, ghost);
        this.world.add(solids.group, parts.group);
        return { actor, drawing, solids, sketch, parts };
    }

    private light(): void {
        const radius = this.box.getSize(new Vector3()).length() / 2 || 1, middle = this.box.getCenter(new Vector3());
        const first = firstDirection(this.runs[0]?.drawing as Drawing);
        // from above, over the left shoulder
        const from = new Vector3(-first.y, first.x, 0).multiplyScalar(-0.55).add(new Vector3(0.35 * first.x, 0.35 * first.y, 1)).normalize();
        this.sun.position.copy(middle).addScaledVector(from, 3 * radius);
        this.sun.target.position.copy(middle);
        const eye = this.sun.shadow.camera;
        eye.left = eye.bottom = -1.25 * radius;
        eye.right = eye.top = 1.25 * radius;
        eye.near = radius;
        eye.far = 6 * radius;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.normalBias = 0.006 * radius;
        this.sun.shadow.intensity = 0.55;
        const fill = new DirectionalLight(0xffffff, 0.55);
        fill.position.copy(first).negate().setZ(0.2);
        this.scene.add(this.sun, this.sun.target, new AmbientLight(0xffffff, 1.25), fill);
        const lamp = new DirectionalLight(0xffffff, 1.5);
        lamp.position.copy(from);
        this.above.add(lamp, new AmbientLight(0xffffff, 1.9));
    }

    private steer(): void {
        this.camera.up.set(0, 0, 1);
        this.controls.addEventListener("change", () => this.wish.redraw());
        this.controls.addEventListener("start", () => (this.isMoved = true));
        this.controls.zoomSpeed = 1.4;
        this.wish.canvas.tabIndex = 0;
        this.wish.canvas.addEventListener("keydown", (e) => this.turnByKey(e));
        let at: [number, number] = [0, 0];
        this.wish.canvas.addEventListener("pointerdown", (e) => (at = [e.clientX, e.clientY]));
        this.wish.canvas.addEventListener("click", (e) => {
            if (Math.hypot(e.clientX - at[0], e.clientY - at[1]) < 4) this.pick(e);
        });
        this.look(firstDirection(this.runs[0]?.drawing as Drawing));
    }

    /** All of the scene, seen from a direction. */
    private look(from: Vector3): void {
        const middle = this.box.getCenter(new Vector3()), z = from.clone().normalize();
        const x = new Vector3(0, 0, 1).cross(z);
        if (x.length() < 1e-6) x.set(1, 0, 0);
        const y = new Vector3().crossVectors(z, x.normalize()), tall = Math.tan((fieldOfView * Math.PI) / 360), wide = tall * this.camera.aspect;
        let distance = 0;
        for (let k = 0; k < 8; k++) {
            const p = new Vector3(this.box[k & 1 ? "max" : "min"].x, this.box[k & 2 ? "max" : "min"].y, this.box[k & 4 ? "max" : "min"].z).sub(middle);
            distance = Math.max(distance, p.dot(z) + Math.abs(p.dot(x)) / wide, p.dot(z) + Math.abs(p.dot(y)) / tall);
        }
        this.controls.target.copy(middle);
        this.camera.position.copy(middle).addScaledVector(z, 1.12 * (distance || 1));
        this.controls.update();
    }

    private turnByKey(e: KeyboardEvent): void {
        const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
        const turn = turns[e.key], nearer = e.key === "+" ? 0.85 : e.key === "-" ? 1 / 0.85 : 0;
        if (!turn && !nearer) return;
        e.preventDefault();
        this.isMoved = true;
        const way = this.camera.position.clone().sub(this.controls.target), far = way.length();
        if (turn) {
            const rise = Math.min(1.5, Math.max(-1.5, Math.asin(way.z / far) + turn[1])), round = Math.atan2(way.y, way.x) + turn[0];
            way.set(Math.cos(rise) * Math.cos(round), Math.cos(rise) * Math.sin(round), Math.sin(rise)).multiplyScalar(far);
        } else way.multiplyScalar(nearer);
        this.camera.position.copy(this.controls.target).add(way);
        this.controls.update();
        this.wish.redraw();
    }

    private fillBar(lead: Drawing): void {
        const option = (value: string, text: string): HTMLElement => element("option", { value }, text);
        const set = (from: Vector3 | null) => () => {
            this.isMoved = from !== null;
            this.look(from ?? firstDirection(lead));
            this.wish.redraw();
        };
        this.bar.append(button("fit", "show everything", set(null), "small"),
            ...([["x", 1, 0, 0], ["y", 0, -1, 0], ["z", 0, 0, 1]] as [string, number, number, number][]).map(([name, x, y, z]) =>
                button(name, `look along ${name}`, set(new Vector3(x, y, z + 1e-4)), "small")));
        if (this.forces.isUseful) {
            const style = element("select", { "aria-label": "forces" }, option("arrows", "forces: arrows"), option("chains", "forces: chains"), option("none", "no forces"));
            style.addEventListener("change", () => this.setStyle(style.value as ForceStyle));
            this.bar.append(style);
        }
        const moving = lead.bodies.map((b, i) => ({ ...b, i })).filter((b) => b.name !== "ground");
        this.choice.append(option("-1", "follow nothing"), ...moving.slice(0, mostNames).map((b) => option(String(b.i), `follow ${b.name}`)));
        this.choice.addEventListener("change", () => this.followBody(Number(this.choice.value)));
        if (moving.length > 0) this.bar.append(this.choice);
        this.bar.append(this.reliefNote);
    }

    setStyle(style: ForceStyle): void {
        this.style = style;
        for (const run of this.runs) run.solids.seeThrough(style === "chains");
        this.wish.redraw();
    }

    follow(name: string): boolean {
        const lead = this.runs[0], body = lead?.drawing.bodies.findIndex((b) => b.name === name) ?? -1;
        const radius = Math.max(0, ...(lead?.drawing.looks ?? []).filter((l) => l.body === body).map((l) => netOf(l).radius));
        if (!this.middleOf(body) || radius === 0) return false;
        this.isMoved = true;
        this.followBody(body);
        const way = this.camera.position.clone().sub(this.controls.target);
        this.camera.position.copy(this.controls.target).addScaledVector(way, Math.min(1, (nearSizes * radius) / way.length()));
        this.controls.update();
        return true;
    }

    private followBody(body: number): void {
        this.followed = body;
        const at = this.middleOf(body);
        if (at) {
            this.camera.position.add(at.clone().sub(this.controls.target));
            this.controls.target.copy(at);
            this.followedAt.copy(at);
            this.controls.update();
        }
        this.wish.redraw();
    }

    // in axes of space
    private middleOf(body: number): Vector3 | null {
        const lead = this.runs[0], look = lead?.drawing.looks.find((l) => l.body === body);
        if (!lead || !look) return null;
        return new Vector3(...toView(placeOf(lead.drawing, look, lead.actor.pose.values), netOf(look).middle)).applyMatrix4(this.world.matrix);
    }

    private pick(e: MouseEvent): void {
        const frame = this.wish.canvas.getBoundingClientRect(), lead = this.runs[0], ray = new Raycaster();
        if (!lead) return;
        ray.setFromCamera(new Vector2((2 * (e.clientX - frame.left)) / frame.width - 1, 1 - (2 * (e.clientY - frame.top)) / frame.height), this.camera);
        for (const hit of ray.intersectObject(lead.solids.group, true)) {
            const body = lead.solids.bodyOf(hit.object, hit.instanceId ?? -1), name = lead.drawing.bodies[body]?.name ?? "";
            if (body < 0 || name === "ground") continue;
            this.wish.canvas.title = name;
            if (body < mostNames) {
                this.choice.value = String(body);
                this.followBody(body);
            }
            return;
        }
    }

    recolour(): void {
        for (const { solids, sketch } of this.runs) {
            solids.recolour();
            sketch.recolour();
        }
        this.forces.recolour();
        this.ground.recolour();
    }

    // a still has all the pixels
    private fit(isPlaying: boolean): void {
        const { clientWidth: w, clientHeight: h } = this.wish.canvas, relief = isPlaying ? this.relief : 0;
        const ratio = relief >= 3 ? 0.6 : relief >= 2 ? 1 : Math.min(2, window.devicePixelRatio || 1);
        const old = this.camera.aspect;
        if (w === 0 || h === 0) return;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(w, h, false);
        this.camera.aspect = w / h;
        if (old !== this.camera.aspect && !this.isMoved) this.look(firstDirection(this.runs[0]?.drawing as Drawing));
    }

    private relieveBy(relief: number): void {
        this.relief = relief;
        this.reliefNote.textContent = reliefs[relief] ?? "";
    }

    // what takes too long again and again is left out
    private relieve(isPlaying: boolean): void {
        const now = performance.now(), passed = now - this.lastDraw;
        this.lastDraw = now;
        if (!isPlaying || this.wish.isFilm || passed > 500) return void (this.slow = 0);
        this.slow = passed > slowFrame ? this.slow + 1 : Math.max(0, this.slow - 1);
        if (this.slow < patience || this.relief >= 3) return;
        this.relieveBy(this.relief + 1);
        this.slow = 0;
    }

    draw(time: number, decay: number, isPlaying: boolean): void {
        this.relieve(isPlaying);
        this.fit(isPlaying);
        const shadows = this.relief < 1;
        if (this.renderer.shadowMap.enabled !== shadows) {
            this.renderer.shadowMap.enabled = this.sun.castShadow = shadows;
            this.scene.traverse((o) => { if ("material" in o) (o.material as MeshLambertMaterial).needsUpdate = true; });
        }
        for (const { actor, solids, sketch, parts } of this.runs) {
            solids.seek(actor.pose.values);
            parts.begin();
            sketch.draw(actor.pose.values);
            parts.end();
        }
        this.marks.begin();
        const lead = this.runs[0];
        if (lead) this.forces.draw(lead.actor.pose, time, decay, this.style);
        this.marks.end();
        this.keepFollowing();
        this.render();
    }

    private keepFollowing(): void {
        const at = this.followed >= 0 ? this.middleOf(this.followed) : null;
        if (!at) return;
        this.camera.position.add(at.clone().sub(this.followedAt));
        this.controls.target.add(at.clone().sub(this.followedAt));
        this.followedAt.copy(at);
        this.camera.lookAt(this.controls.target);
    }

    private render(): void {
        const far = this.camera.position.distanceTo(this.box.getCenter(new Vector3())) + 4 * this.size;
        this.camera.near = far / 2000;
        this.camera.far = far;
        this.camera.updateProjectionMatrix();
        this.renderer.setClearColor(new Color(0), 0);
        this.renderer.autoClear = false;
        this.renderer.clear();
        this.renderer.render(this.scene, this.camera);
        this.renderer.clearDepth();
        this.renderer.render(this.above, this.camera);
    }
}
