// SPDX-License-Identifier: Apache-2.0
// The mechanism on a canvas: shapes, contacts that light up on impact, arrows for contact forces, and the clearance
// lens below it. Further runs are drawn as outlines in their own colour.
import { Activity, placeOf, Pose, touchesAt, type Place } from "./contacts";
import type { Report, Run, Shape } from "./data";
import { colour, element, seriesColour } from "./dom";
import { quantity } from "./format";
import { findJournals, journalView, type Journal } from "./journal";
import { findLens, lensView, type Lens } from "./lens";
import { drawMatter, widenByMatter } from "./matter";
import type { Player } from "./player";
import { drawArrow, drawShape, type Ink, type Projection } from "./shapes";

/** The page is filmed. */
export const isFilm = location.hash === "#film"; // carom report makes pictures of it
const mostLamps = 24, manyTouches = 30, glowSeconds = 0.25, frameShare = 0.002;

/** behind: what is drawn below shapes of bodies; before: what is drawn upon them */
export interface Actor { run: Run; pose: Pose; activity: Activity; index: number; behind: Shape[]; before: Shape[] }
/** What a scene in space is made from; redraw asks for a new picture. */
export interface SceneWish { canvas: HTMLCanvasElement; actors: Actor[]; start: number; isFilm: boolean; redraw: () => void }
/** A drawing in space that can be turned: space/view.ts. */
export interface SceneView {
    readonly bar: HTMLElement;
    readonly notes: string[];
    draw(time: number, decay: number, isPlaying: boolean): void;
    /** The camera goes near a body and with it; false where there is none of this name. */
    follow(name: string): boolean;
    recolour(): void;
}
export type OpenScene = ((wish: SceneWish) => SceneView | null) | null;
interface Box { x0: number; y0: number; x1: number; y1: number }

function boxOf(runs: Run[]): Box {
    const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
    for (const run of runs) {
        for (const shape of run.drawing?.shapes ?? []) {
            const size = run.drawing?.numbers[shape.first + 2 * shape.points]?.[0] ?? 0;
            const radius = shape.kind === "disc" && shape.sized ? size : 0;
            for (let k = 0; k < shape.points; k++)
                for (const x of run.drawing?.numbers[shape.first + 2 * k] ?? [])
                    (box.x0 = Math.min(box.x0, x - radius)), (box.x1 = Math.max(box.x1, x + radius));
            for (let k = 0; k < shape.points; k++)
                for (const y of run.drawing?.numbers[shape.first + 2 * k + 1] ?? [])
                    (box.y0 = Math.min(box.y0, y - radius)), (box.y1 = Math.max(box.y1, y + radius));
        }
        if (run.drawing) widenByMatter(run.drawing, box);
    }
    return box;
}

// a canvas with as many pixels as the screen has
function fit(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const ratio = window.devicePixelRatio || 1, { clientWidth: w, clientHeight: h } = canvas;
    const width = Math.round(w * ratio), height = Math.round(h * ratio);
    if (canvas.width !== width || canvas.height !== height) (canvas.width = width), (canvas.height = height);
    const context = canvas.getContext("2d");
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    context?.clearRect(0, 0, w, h);
    return context;
}

// bars, rails and springs are below shapes of bodies
function layersOf(run: Run): { behind: Shape[]; before: Shape[] } {
    const all = run.drawing?.shapes ?? [];
    const isBehind = (s: Shape): boolean => s.body !== undefined && ["link", "rail", "spring"].includes(s.kind);
    return { behind: all.filter(isBehind), before: all.filter((s) => !isBehind(s)) };
}

/** What of space a flat drawing shows: "xz" is x to the right and z up. */
function viewText(view: string): string {
    const along = [..."xyz"].find((axis) => !view.includes(axis)) ?? "";
    return `Seen along ${along}, without perspective: ${view[0]} to the right, ${view[1]} up`;
}

export class Stage {
    readonly root = element("section", { class: "stage card", "aria-label": "Animation" });
    private readonly canvas = element("canvas", { class: "scene", role: "img", "aria-label": "the mechanism" });
    private readonly lensCanvas = element("canvas", { class: "lens", role: "img", "aria-label": "the clearance, magnified" });
    private readonly lamps = element("div", { class: "lamps" });
    private readonly lampOf: HTMLElement[] = [];
    private readonly actors: Actor[];
    private readonly box: Box;
    private readonly size: number;
    private readonly journalCanvas = element("canvas", { class: "lens", role: "img", "aria-label": "the play of pins, magnified" });
    private lens: Lens | null = null;
    private journals: Journal[] = [];
    private decay = 0;
    private scene: SceneView | null = null;
    private hasNoScene = false; // there could be one, but the browser cannot
    private isAsked = false;

    constructor(report: Report, private readonly player: Player, openScene: OpenScene) {
        const drawn = report.runs.filter((r) => r.drawing);
        this.box = boxOf(drawn);
        this.size = Math.max(this.box.x1 - this.box.x0, this.box.y1 - this.box.y0) || 1;
        this.actors = drawn.map((run) => ({
            run, pose: new Pose(run, this.size), activity: new Activity(run), index: report.runs.indexOf(run), ...layersOf(run),
        }));
        this.root.append(this.canvas);
        const lead = this.actors[0];
        if (openScene && lead?.run.drawing?.view) {
            const redraw = (): void => this.drawSoon();
            this.scene = openScene({ canvas: this.canvas, actors: this.actors, start: player.whole.from, isFilm, redraw });
            if (this.scene) this.root.append(this.scene.bar);
            else this.hasNoScene = true;
        }
        if (lead) {
            lead.pose.seek(player.whole.from);
            this.lens = findLens(lead.run, this.places(lead), this.size);
            this.journals = findJournals(lead.run, this.size);
            if (this.lens) this.root.append(this.lensFigure(this.lens));
            if (this.journals.length > 0) this.root.append(this.journalFigure());
            if (!this.lens && this.journals.length === 0) this.canvas.classList.add("alone");
            if (lead.activity.names.length <= mostLamps) this.makeLamps(lead);
            this.makeNotes(lead);
        }
        // flat mechanisms need less height
        const aspect = this.scene ? 1.6 : (this.box.x1 - this.box.x0) / Math.max(1e-12, this.box.y1 - this.box.y0);
        this.canvas.style.aspectRatio = String(Math.min(6, Math.max(1.25, aspect * 0.9)));
        player.onTime(() => this.draw());
        new ResizeObserver(() => this.draw()).observe(this.canvas);
    }

    private lensFigure(lens: Lens): HTMLElement {
        const k = Number(lens.factor.toPrecision(2));
        return element("figure", { class: "lens-figure" }, this.lensCanvas,
            element("figcaption", {}, lens.isStretched
                ? `Clearance: gaps in the tinted bands are drawn ${k}× larger than the rest` : "The contacts, close up"));
    }

    private journalFigure(): HTMLElement {
        const names = this.journals.map((j) => `${j.name} ${quantity(j.play, "m")}`).join(", ");
        const factor = Math.max(...this.journals.map((j) => j.factor));
        const larger = factor < 1000 ? `drawn ${Number(factor.toPrecision(2))}× larger than the pin` : "drawn as large as it can be seen";
        return element("figure", { class: "lens-figure" }, this.journalCanvas, element("figcaption", {}, `Play of ${names}, ${larger}`));
    }

    // what the drawing does not show is said below it
    private makeNotes(actor: Actor): void {
        const names = actor.activity.names, all = actor.run.drawing?.spots ?? [], spots = all.slice(0, names.length);
        const nowhere = spots.filter((s) => s.kind === "none" && s.place === undefined).length, isMarked = nowhere < spots.length;
        const notes: string[] = [], view = actor.run.drawing?.view;
        if (this.hasNoScene) notes.push("This browser has no WebGL, which the scene in space needs");
        if (view && !this.scene) notes.push(viewText(view));
        if (this.scene) notes.push(...this.scene.notes);
        if (names.length > mostLamps)
            notes.push(`${names.length} contacts: ${isMarked ? "those that are closed are marked in the drawing, " : ""}there are no lamps`);
        if (nowhere > 0) notes.push(`${nowhere} of ${spots.length} contacts have no mark: the drawing does not show where they are`);
        if (all.length > spots.length && actor.run.columns_left_out === 0) notes.push("Contacts that come and go have no lamps");
        const reference = actor.activity.reference || (actor.run.drawing?.touches?.typical ?? 0);
        if (reference > 0 && (isMarked || actor.run.drawing?.touches))
            notes.push(`Arrows grow with the force up to a limit; half of it is ${quantity(reference, "N")}`);
        if (notes.length > 0) this.root.append(element("p", { class: "note" }, `${notes.join(". ")}.`));
    }

    private makeLamps(actor: Actor): void {
        for (const name of actor.activity.names) {
            const lamp = element("span", { class: "lamp" }, element("i"), name);
            this.lampOf.push(lamp);
            this.lamps.append(lamp);
        }
        this.root.append(this.lamps);
    }

    private places(actor: Actor): (Place | null)[] {
        return (actor.run.drawing?.spots ?? []).map((spot) => placeOf(actor.run, actor.pose, spot));
    }

    private projection(width: number, height: number): Projection {
        const { x0, y0, x1, y1 } = this.box, pad = 26;
        const unit = Math.min((width - 2 * pad) / Math.max(1e-12, x1 - x0), (height - 2 * pad) / Math.max(1e-12, y1 - y0));
        const mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
        return { unit, at: (x, y) => [width / 2 + (x - mx) * unit, height / 2 - (y - my) * unit] };
    }

    private ink(actor: Actor): Ink {
        if (actor.index === 0) return { line: colour("ink"), fill: colour("body"), soft: colour("soft"), width: 2.4, isGhost: false };
        const own = seriesColour(actor.index);
        return { line: own, fill: "transparent", soft: colour("soft"), width: 1.4, isGhost: true };
    }

    /** False in drawings of the plane too. */
    follow(name: string): boolean { return this.scene?.follow(name) ?? false; }

    recolour(): void {
        this.scene?.recolour();
        this.draw();
    }

    // once for all that has changed before the next picture
    private drawSoon(): void {
        if (this.isAsked) return;
        this.isAsked = true;
        requestAnimationFrame(() => {
            this.isAsked = false;
            this.draw();
        });
    }

    private drawFlat(): void {
        const scene = fit(this.canvas);
        const view = this.projection(this.canvas.clientWidth, this.canvas.clientHeight);
        if (scene) this.drawActors(scene, view, 1);
    }

    draw(): void {
        // a film shows an impact for a quarter of a second, a still only that of its own time
        this.decay = this.player.isPlaying ? glowSeconds * this.player.rate
            : frameShare * (this.player.range.to - this.player.range.from);
        for (const actor of this.actors) actor.pose.seek(this.player.time);
        if (this.scene) this.scene.draw(this.player.time, this.decay, this.player.isPlaying);
        else this.drawFlat();
        if (this.lens) this.drawLens(this.lens);
        this.drawJournals();
        this.lightLamps();
    }

    // the first run last, and the ground of all of them below
    private drawActors(c: CanvasRenderingContext2D, view: Projection, mark: number): void {
        const all = [...this.actors].reverse();
        for (const actor of all) if (actor.run.drawing) drawMatter(c, view, actor.run.drawing, actor.pose.values, this.ink(actor), true);
        for (const actor of all) this.drawActor(c, view, actor, mark);
    }

    private drawActor(c: CanvasRenderingContext2D, view: Projection, actor: Actor, mark: number): void {
        const drawing = actor.run.drawing;
        if (!drawing) return;
        const ink = this.ink(actor), values = actor.pose.values;
        for (const shape of actor.behind) drawShape(c, view, drawing, shape, values, ink);
        drawMatter(c, view, drawing, values, ink, false);
        for (const shape of actor.before) drawShape(c, view, drawing, shape, values, ink);
        if (actor !== this.actors[0]) return;
        this.drawContacts(c, view, actor, mark);
        this.drawTouches(c, view, actor, mark);
    }

    private drawContacts(c: CanvasRenderingContext2D, view: Projection, actor: Actor, mark: number): void {
        this.places(actor).forEach((place, i) => {
            if (!place) return;
            const at = view.at(place.x, place.y), ahead = view.at(place.x + 1e-6 * place.nx, place.y + 1e-6 * place.ny);
            const length = Math.hypot(ahead[0] - at[0], ahead[1] - at[1]) || 1;
            this.drawContact(c, actor, i, at, [(ahead[0] - at[0]) / length, (ahead[1] - at[1]) / length], mark);
        });
    }

    // contacts that come and go, of the nearest frame
    private drawTouches(c: CanvasRenderingContext2D, view: Projection, actor: Actor, mark: number): void {
        const touches = touchesAt(actor.run, this.player.time);
        const size = mark * Math.min(1, Math.max(0.2, Math.sqrt(manyTouches / (touches.length || 1)))); // many have less room
        for (const { x, y, nx, ny, share } of touches) {
            const at = view.at(x, y), long = (8 + 40 * share) * size;
            drawArrow(c, at, [at[0] + nx * long, at[1] - ny * long], colour("force"), Math.max(0.8, 1.6 * size));
            c.beginPath();
            c.arc(at[0], at[1], 2.2 * size, 0, 2 * Math.PI);
            c.fillStyle = colour("force");
            c.fill();
        }
    }

    // a mark, in the direction n an arrow for the force, and a halo for an impact
    private drawContact(
        c: CanvasRenderingContext2D, actor: Actor, i: number, at: [number, number], n: [number, number], mark: number,
    ): void {
        const push = actor.activity.push(i, this.player.time), glow = actor.activity.glow(i, this.player.time, this.decay);
        const long = 12 + 46 * push;
        if (push > 0.02) drawArrow(c, at, [at[0] + n[0] * long, at[1] + n[1] * long], colour("force"), 2);
        if (glow > 0) this.drawGlow(c, at, glow, mark);
        c.beginPath();
        c.arc(at[0], at[1], 3.2 * mark, 0, 2 * Math.PI);
        c.fillStyle = glow > 0 ? colour("impact") : push > 0 ? colour("force") : colour("card");
        c.strokeStyle = push > 0 || glow > 0 ? c.fillStyle : colour("soft");
        c.lineWidth = 1.2;
        c.fill();
        c.stroke();
    }

    private drawGlow(c: CanvasRenderingContext2D, at: [number, number], glow: number, mark: number): void {
        const radius = (8 + 16 * (1 - glow)) * mark;
        c.save();
        c.globalAlpha = 0.85 * glow;
        c.strokeStyle = colour("impact");
        c.lineWidth = 2.5;
        c.beginPath();
        c.arc(at[0], at[1], radius, 0, 2 * Math.PI);
        c.stroke();
        c.globalAlpha = 0.3 * glow;
        c.fillStyle = colour("impact");
        c.fill();
        c.restore();
    }

    private drawLens(lens: Lens): void {
        const c = fit(this.lensCanvas), lead = this.actors[0];
        if (!c || !lead) return;
        const { clientWidth: w, clientHeight: h } = this.lensCanvas;
        const view = lensView(lens, this.places(lead), w, h);
        c.fillStyle = colour("band");
        for (const [from, to] of view.bands) view.isUpright ? c.fillRect(0, from, w, to - from) : c.fillRect(from, 0, to - from, h);
        this.drawActors(c, view, 1.3);
    }

    private drawJournals(): void {
        const lead = this.actors[0], c = this.journals.length > 0 ? fit(this.journalCanvas) : null;
        if (!c || !lead) return;
        const { clientWidth: w, clientHeight: h } = this.journalCanvas;
        this.journals.forEach((journal, i) => {
            const v = journalView(lead.run, lead.pose, journal, i, this.journals.length, w, h);
            const circle = (x: number, y: number, radius: number, fill: string, line: string): void => {
                c.beginPath();
                c.arc(x, y, radius, 0, 2 * Math.PI);
                c.fillStyle = fill;
                c.strokeStyle = line;
                c.lineWidth = 1.8;
                c.fill();
                c.stroke();
            };
            circle(v.x, v.y, v.bore, colour("band"), colour("soft"));
            circle(v.pinX, v.pinY, v.pin, colour("card"), colour("ink"));
            this.drawContact(c, lead, journal.spot, v.rim, v.n, 1.3);
        });
    }

    private lightLamps(): void {
        const lead = this.actors[0];
        if (!lead) return;
        this.lampOf.forEach((lamp, i) => {
            const isHit = lead.activity.glow(i, this.player.time, this.decay) > 0;
            lamp.className = isHit ? "lamp hit" : lead.activity.push(i, this.player.time) > 0 ? "lamp closed" : "lamp";
        });
    }
}
