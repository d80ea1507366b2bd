// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
import { readReport, reportOf, type Report } from "./data";
import { button, element, seriesColour } from "./dom";
import { openFilm } from "./film";
import { instant, quantity, seconds } from "./format";
import { Player, rateText } from "./player";
import { kinds, Panel, unitsOf } from "./plots";
import { isFilm, type OpenScene, Stage } from "./stage";
import { MapCard } from "./study";
import { auditCard, Events, modelCard } from "./tables";

const panelHeight = 280; // about; plots are built later
// how the curves of a run are drawn
const dashes = ["", " (dashed)", " (dotted)", " (dash-dotted)"];

function header(report: Report): HTMLElement {
    const lead = report.runs[0];
    const head = element("header", {}, element("h1", {}, lead?.model || "run"));
    if (lead?.about) head.append(element("p", { class: "about" }, lead.about));
    const list = element("p", { class: "runs" });
    report.runs.forEach((run, i) => {
        const step = run.step > 0 ? `step ${quantity(run.step, "s").replace(/\.?0+ /, " ")}` : "adaptive steps";
        const mark = element("i");
        if (i > 0) mark.style.background = seriesColour(i);
        const name = run.name === run.scheme ? "" : `${run.name}: `;
        list.append(element("span", { class: "run" }, report.runs.length > 1 ? mark : null,
            `${name}${run.scheme}, ${step}, ${instant(run.end)} s${dashes[i % 4]}`));
        if (!run.whole) list.append(element("span", { class: "warning" }, "partial: the run was cut off"));
        if ((run.counts?.unconverged ?? 0) > 0)
            list.append(element("span", { class: "warning" }, `${run.counts?.unconverged} steps did not converge`));
    });
    head.append(list);
    for (const run of report.runs)
        for (const line of run.audit?.warnings.split("\n") ?? [])
            if (line) head.append(element("p", { class: "warning" }, `Warning: ${report.runs.length > 1 ? `${run.name}: ` : ""}${line}`));
    return head;
}

const speeds = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 1e-4, 1e-5];

function controls(player: Player, life: AbortSignal): HTMLElement {
    const play = button("Play", "play or pause (space)", () => player.toggle(), "play");
    const slider = element("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "time" });
    const clock = element("output", { class: "clock" });
    const speed = element("select", { "aria-label": "speed" });
    const automatic = element("option", { value: "0" }, "auto");
    speed.append(automatic, ...speeds.map((s) => element("option", { value: String(s) }, rateText(s))));
    speed.addEventListener("change", () => { player.speed = Number(speed.value); player.seek(player.time); });
    slider.addEventListener("input", () => player.seek(player.range.from + Number(slider.value) * (player.range.to - player.range.from)));
    const zoom = element("div", { class: "zoom" },
        button("+", "zoom in around the time shown", () => player.scale(0.4), "small"),
        button("−", "zoom out", () => player.scale(2.5), "small"),
        button("all", "show the whole run", () => player.reset(), "small"));
    const show = () => {
        const length = player.range.to - player.range.from;
        slider.value = String((player.time - player.range.from) / (length || 1));
        clock.textContent = seconds(player.time, length);
        play.textContent = player.isPlaying ? "Pause" : "Play";
        automatic.textContent = player.speed > 0 ? "auto" : `auto: ${rateText(player.rate)}`;
    };
    player.onTime(show);
    player.onRange(show);
    document.addEventListener("keydown", (e) => {
        const isField = e.target instanceof HTMLElement && /^(SELECT|BUTTON|INPUT|TEXTAREA|SUMMARY|TR)$/.test(e.target.tagName);
        if (e.key !== " " || isField) return;
        e.preventDefault();
        player.toggle();
    }, { signal: life });
    show();
    return element("div", { class: "controls card" }, play, slider, clock, speed, zoom);
}

function noDrawing(report: Report): HTMLElement {
    return element("section", { class: "card stage" }, element("p", { class: "note" },
        `There is no animation: ${report.runs[0]?.no_drawing || "the model has no draw section"}.`));
}

// each card goes to the column that is shorter so far; on narrow screens they stand in their order
function fill(left: HTMLElement, right: HTMLElement, cards: HTMLElement[]): void {
    const isPanel = (card: HTMLElement): boolean => card.classList.contains("panel");
    let [tall, other] = [left.offsetHeight, 0];
    cards.forEach((card, i) => {
        card.style.order = String(i + 1);
        const goesLeft = tall < other;
        (goesLeft ? left : right).append(card);
        const height = isPanel(card) ? panelHeight : card.offsetHeight;
        if (goesLeft) tall += height;
        else other += height;
    });
}

/** The page of these runs in an element, until life is over. */
export function mount(app: HTMLElement, report: Report, openScene: OpenScene, above: HTMLElement | null, life: AbortSignal): void {
    const player = new Player({ from: report.start, to: report.end });
    if (isFilm) return openFilm(app, report, player, openScene);
    document.title = `${report.runs[0]?.model ?? "run"} · Carom`;
    const all = kinds.flatMap((kind) => unitsOf(report, kind).map((unit) => new Panel(report, kind, unit, player)));
    // forces of schemes that have none, and the like, only take room
    const panels = all.filter((p) => !p.isQuiet || p.kind.id === "gap");
    const hasDrawing = report.runs.some((r) => r.drawing), stage = hasDrawing ? new Stage(report, player, openScene) : null;
    const left = element("div", { class: "column" }, stage ? stage.root : noDrawing(report), controls(player, life));
    const right = element("div", { class: "column" });
    const footer = element("footer", {}, `Made by carom ${report.version}. Drag in a plot, or spread two fingers, to zoom; double-click for the whole run, click to seek.`);
    app.replaceChildren(header(report), element("main", {}, above, element("div", { class: "grid" }, left, right), modelCard(report)), footer);
    fill(left, right, [...panels.map((p) => p.root), new Events(report, player).root, auditCard(report)]);
    const build = () => { for (const p of panels) p.build(); stage?.recolour(); };
    build();
    const watcher = new ResizeObserver(() => { for (const p of panels) p.resize(); });
    watcher.observe(app);
    life.addEventListener("abort", () => { watcher.disconnect(); if (player.isPlaying) player.toggle(); });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build, { signal: life });
    player.seek(player.time);
    if (above) player.toggle(); // what was asked for moves
}

// a study shows its points, and below them the motion of the one that was clicked
function start(app: HTMLElement, openScene: OpenScene): void {
    const report = readReport();
    if (!report.map) return mount(app, report, openScene, null, new AbortController().signal);
    let life = new AbortController();
    const card = new MapCard(report.map, (index) => {
        const run = report.runs[index];
        if (!run) return;
        life.abort();
        life = new AbortController();
        mount(app, reportOf(report.version, [run], report.map), openScene, card.root, life.signal);
        card.draw();
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => card.draw());
    card.first();
}

/** openScene: of pages that carry a scene in space, else null. */
export function openPage(openScene: OpenScene): void {
    const app = document.getElementById("app");
    if (app) start(app, openScene);
}
