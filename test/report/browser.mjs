// SPDX-License-Identifier: Apache-2.0
// Reports in a real browser: they open from file:// without errors and without a network, move, seek, zoom and compare,
// and nothing that stands in a model or a path can run. Screenshots are left for people to look at.
// Usage: node browser.mjs CAROM VIEWER-BUILD MODELS CHROMIUM SCREENSHOTS
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testSpace } from "./space.mjs";

const [carom, viewer, models, executablePath, screenshots] = process.argv.slice(2);
const { chromium } = createRequire(join(viewer, "package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "carom-report-"));
mkdirSync(screenshots, { recursive: true });
let failures = 0, done = 0;

function check(what, isTrue, detail = "") {
    done++;
    if (isTrue) return;
    failures++;
    console.log(`FAILED: ${what} ${detail}`);
}
const run = (...words) => execFileSync(carom, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

// one without WebGL, for all that is drawn flat, and one with it, in software
const calm = ["--no-sandbox", "--disable-dev-shm-usage"];
const browser = await chromium.launch({ executablePath, args: [...calm, "--disable-3d-apis"] });
const spacious = await chromium.launch({ executablePath, args: [...calm, "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

async function open(file, options = {}, inside = browser) {
    const context = await inside.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage(), complaints = [], requests = [];
    page.on("console", (m) => { if (["error", "warning"].includes(m.type())) complaints.push(m.text()); });
    page.on("pageerror", (e) => complaints.push(e.message));
    page.on("request", (r) => { if (!/^(file|data):/.test(r.url())) requests.push(r.url()); });
    const start = Date.now();
    await page.goto(`file://${encodeURI(join(folder, file)).replace(/[?#]/g, encodeURIComponent)}`);
    await page.waitForSelector(".panel canvas");
    const seconds = (Date.now() - start) / 1000;
    const close = async () => {
        check(`${file} has no console errors`, complaints.length === 0, complaints.join("; "));
        check(`${file} asks for nothing from a network`, requests.length === 0, requests.join(" "));
        await context.close();
    };
    return { page, close, seconds };
}

const clock = async (page) => parseFloat(await page.locator(".clock").textContent());
const seek = (page, share) => page.locator(".controls input").evaluate((e, v) => {
    e.value = String(v);
    e.dispatchEvent(new Event("input"));
}, share);
const pixels = (page, selector) => page.locator(selector).first().evaluate((c) => c.toDataURL());

async function aReportMovesSeeksAndZooms() {
    const { page, close } = await open("one.html");
    const before = await clock(page), picture = await pixels(page, ".scene");
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForTimeout(600);
    check("the animation advances", (await clock(page)) > before);
    check("the mechanism moves", (await pixels(page, ".scene")) !== picture);
    await page.getByRole("button", { name: "Pause" }).click();
    await seek(page, 0.5);
    check("the slider seeks", Math.abs((await clock(page)) - 0.05) < 1e-3, String(await clock(page)));
    check("the clearance is magnified", await page.locator(".lens").isVisible());

    const gaps = page.locator("#plot-gap .u-over"), box = await gaps.boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await seek(page, 1);
    check("dragging in a plot zooms", Math.abs((await clock(page)) - 0.05) < 2e-3, String(await clock(page)));
    await gaps.dblclick();
    await seek(page, 1);
    check("a double click shows the whole run", Math.abs((await clock(page)) - 0.1) < 1e-6, String(await clock(page)));

    const plain = await pixels(page, "#plot-gap canvas");
    await page.getByRole("button", { name: "penetration" }).click();
    await page.waitForTimeout(100);
    check("the gaps zoom to the penetration", (await pixels(page, "#plot-gap canvas")) !== plain);
    const shown = await pixels(page, "#plot-energy canvas");
    await page.locator("#plot-energy .chip").first().click();
    await page.waitForTimeout(100);
    check("a column can be switched off", (await pixels(page, "#plot-energy canvas")) !== shown);
    await page.locator(".events tbody tr.impact").first().click();
    check("a click on an impact seeks it", (await clock(page)) > 0.002 && (await clock(page)) < 0.0035, String(await clock(page)));
    check("contacts light up on impact", (await page.locator(".lamp.hit").count()) > 0);
    await close();
}

async function aComparisonShowsBothRuns() {
    const { page, close } = await open("two.html");
    const heads = await page.locator(".run").allTextContents();
    check("both runs stand in the head", heads.length === 2 && heads[1].includes("tdg_velocity"), heads.join());
    check("both runs have an audit", (await page.locator(".audit-table thead th").allTextContents()).includes("tdg_velocity"));
    check("events name their run", (await page.locator(".events tbody").textContent()).includes("tdg_velocity"));
    await seek(page, 0.45);
    const hasSecond = await page.locator(".scene").evaluate((c) => {
        const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
        for (let i = 0; i < data.length; i += 4) if (data[i] > 190 && data[i + 1] > 80 && data[i + 1] < 130 && data[i + 2] < 60 && data[i + 3] > 200) return true;
        return false;
    });
    check("the second mechanism is drawn in its colour", hasSecond);
    await close();
}

// one scheme with other parameters, and another model: the head says which run is which
async function runsOfOneSchemeAreToldApart() {
    const ball = join(models, "bouncing-ball.yaml");
    for (const e of ["0.9", "0.5"]) run("run", ball, "-q", "--set", `e=${e}`, "-o", `e${e}.h5`);
    run("report", "e0.9.h5", "e0.5.h5", "-q", "-o", "alike.html");
    run("report", "e0.9.h5", "midpoint.h5", "-q", "-o", "models.html");
    for (const [file, words] of [["alike.html", ["e0.9: ", "e0.5: "]], ["models.html", ["bouncing-ball: ", "slider-crank: "]]]) {
        const { page, close } = await open(file);
        const heads = await page.locator(".run").allTextContents();
        check(`${file} tells its runs apart`, words.every((word, i) => heads[i]?.startsWith(word)), heads.join());
        await close();
    }
}

// no cards that overlap, nothing wider than the window
async function nothingOverlaps(file, width, height, colorScheme) {
    const { page, close } = await open(file, { viewport: { width, height }, colorScheme });
    await seek(page, 0.0275);
    const found = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll(".card, header, footer")].map((e) => e.getBoundingClientRect());
        const hit = boxes.some((a, i) => boxes.some((b, k) => k > i &&
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1));
        const wide = [...document.querySelectorAll(".card button, .card select, .card h2, .card output, h1")]
            .some((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5);
        return { hit, wide, over: document.documentElement.scrollWidth - document.documentElement.clientWidth };
    });
    const where = `at ${width}x${height}, ${colorScheme}`;
    check(`no cards overlap ${where}`, !found.hit);
    check(`nothing is cut off ${where}`, !found.wide && found.over <= 0, JSON.stringify(found));
    await page.screenshot({ path: join(screenshots, `${file.replace(".html", "")}-${width}-${colorScheme}.png`) });
    await close();
}

const evil = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'"&amp; ü 日本 <!--`;
async function hostileTextCannotRun() {
    const name = `<script>window.hacked = 3</script>"'<b>ü.h5`.replace("/", "_");
    writeFileSync(join(folder, "evil.yaml"), `carom: 1\nname: ${JSON.stringify(evil)}\nabout: ${JSON.stringify(evil)}
source: ${JSON.stringify(evil)}\n# ${evil}\ncoordinates:\n  y: {start: 1}\nkinetic: der(y)^2/2\npotential: 9.81*y
contacts:\n  - {name: floor, gap: y}\ndraw:\n  - {disc: [0, y], radius: 0.1}\nrun: {step: 1e-2, end: 1}\n`);
    run("run", "evil.yaml", "-q", "-o", name);
    run("report", name, "-q", "-o", "evil.html");
    const { page, close } = await open("evil.html");
    await page.waitForTimeout(200);
    check("nothing hostile has run", (await page.evaluate(() => window.hacked)) === undefined);
    check("no markup came from texts", (await page.locator("img, b, script:not([id])").count()) === 1);
    check("a hostile name shows as text", (await page.locator("h1").textContent()) === evil);
    check("the model text shows as text", (await page.locator("pre").textContent()).includes(`# ${evil}`));
    check("a hostile path shows as text", (await page.locator("dl").textContent()).includes(name));
    await close();
}

// play is magnified, a ball that comes to rest is not; straight things stay so; nothing is taller than it needs to be
const small = {
    journal: `carom: 1\nname: journal\nparameters: {c: 1e-4, R: 0.02}
coordinates: {x: {start: 0, rate: 0.02}, y: {start: 0}}\nkinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y
contacts: [{name: pin, gap: c - sqrt(x^2 + y^2), restitution: 0.5}]\nrun: {step: 1e-4, end: 0.1}
draw: [{disc: [0, 0], radius: R + c}, {disc: [x, y], radius: R}]\n`,
    rest: `carom: 1\nname: rest\ncoordinates: {y: {start: 1e-9}}\nkinetic: der(y)^2/2\npotential: 9.81*y
contacts: [{name: floor, gap: y, restitution: 0.5}]\nrun: {step: 1e-6, end: 1e-3}
draw: [{line: [[-1, 0], [1, 0]]}, {disc: [0, y + 0.1], radius: 0.1}]\n`,
    flat: `carom: 1\nname: flat\ncoordinates: {x: {start: 0.3, rate: 1}, th: {start: 0.1, unit: rad}}
kinetic: der(x)^2/2 + der(th)^2/2\npotential: th^2/2\ncontacts:\n  - {name: left, gap: x, restitution: 1}
  - {name: right, gap: 1 - x, restitution: 1}\nrun: {step: 1e-3, end: 3}
draw: [{line: [[0, 0], [1, 0]]}, {disc: [x, 0], radius: 0.01}]\n`,
    family: `carom: 1\nname: family\nparameters: {n: 60}\ncoordinates:\n  y[i]: {for: {i: 1..n}, start: 1 + 0.01*i}
kinetic: [{term: "der(y[i])^2/2", for: {i: 1..n}}]\npotential: [{term: "9.81*y[i]", for: {i: 1..n}}]
contacts: [{name: "floor[i]", for: {i: 1..n}, gap: "y[i]"}]\nrun: {step: 1e-2, end: 1}
draw: [{disc: ["0.1", "y[1]"], radius: 0.05}]\n`,
};
async function picturesAreTrue() {
    for (const name of Object.keys(small)) {
        writeFileSync(join(folder, `${name}.yaml`), small[name]);
        run("run", join(folder, `${name}.yaml`), "-q", "-o", `${name}.h5`);
        run("report", `${name}.h5`, "-q", "-o", `${name}.html`);
    }
    const shown = async (name, look, options = {}) => {
        const { page, close } = await open(`${name}.html`, options);
        await look(page);
        check(`${name} does not tell where it was made`, !(await page.content()).includes(folder));
        await page.screenshot({ path: join(screenshots, `${name}.png`) });
        await close();
    };
    await shown("journal", async (page) => {
        check("the play of a pin is magnified", (await page.locator("figcaption").textContent()).includes("Play of pin 100.0 µm"));
        check("coordinates of a distance are metres", (await page.locator("#plot-q .chip output").first().textContent()).endsWith("m"));
    });
    await shown("rest", async (page) => check("a ball at rest has no lens", (await page.locator(".lens").count()) === 0));
    await shown("flat", async (page) => {
        const [stage, column] = await page.evaluate(() => [".stage", ".column:nth-child(2)"].map((s) => document.querySelector(s).getBoundingClientRect().height));
        check("a flat picture is low", stage < 260, String(stage));
        const gap = await page.evaluate(() => {
            const [a, b] = [...document.querySelectorAll(".column")].map((c) => c.lastElementChild.getBoundingClientRect().bottom);
            return Math.abs(a - b);
        });
        check("columns end at about one height", gap < 320 && column > 0, String(gap));
        const titles = await page.locator(".panel").evaluateAll((all) => all.map((p) => p.getAttribute("aria-label")));
        check("metres and radians have axes of their own", titles.includes("Coordinates [m]") && titles.includes("Coordinates [rad]"), titles.join());
        const time = await page.locator(".events td").first().textContent();
        check("times have no digits that say nothing", /^0\.70?[0-9]?$/.test(time), time);
        // an impulse is a line upwards at its instant, and no ramp to the next row
        const share = await page.locator("#plot-impulse canvas").evaluate((c) => {
            const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height), top = new Array(c.width).fill(-1);
            let base = 0;
            for (let y = c.height - 1; y >= 0; y--)
                for (let x = 0; x < c.width; x++) {
                    const i = 4 * (y * c.width + x), [r, g, b] = [data[i], data[i + 1], data[i + 2]];
                    if (data[i + 3] < 100 || Math.max(r, g, b) - Math.min(r, g, b) < 60) continue;
                    top[x] = y;
                    base = Math.max(base, y);
                }
            const drawn = top.filter((y) => y >= 0);
            return drawn.filter((y) => y < base - 8).length / drawn.length;
        });
        check("impulses last no longer than an instant", share > 0 && share < 0.05, String(share));
        // between impacts a still shows none
        await seek(page, 0.5);
        check("a still between impacts has no halo", (await page.locator(".lamp.hit").count()) === 0);
        await page.locator(".events tbody tr.impact").first().click();
        check("a still at an impact has one", (await page.locator(".lamp.hit").count()) === 1);
    });
    await shown("family", async (page) => {
        check("a family's names do not fill the page", (await page.locator("#plot-gap .chip").count()) === 9);
        await page.locator("#plot-gap .chip.more").click();
        check("all of them can be had", (await page.locator("#plot-gap .chip").count()) === 60);
        check("what has no lamp is said", (await page.locator(".stage .note").textContent()).includes("60 contacts"));
    });
    await shown("flat", async (page) => {
        const box = await page.locator("#plot-gap .u-over").boundingBox();
        const client = await page.context().newCDPSession(page);
        const touch = (type, xs) => client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x) => ({ x: box.x + x * box.width, y: box.y + 40 })) });
        await page.locator("#plot-gap").scrollIntoViewIfNeeded();
        await touch("touchStart", [0.4, 0.6]);
        await touch("touchMove", [0.3, 0.7]);
        await touch("touchMove", [0.2, 0.8]);
        await touch("touchEnd", []);
        await seek(page, 1);
        const end = await clock(page);
        check("two fingers zoom", end > 1.5 && end < 2.5, String(end));
    }, { hasTouch: true });
}

// the mechanisms by bodies: each body in its colour where it belongs, ground hatched, the view named
const near = (page, spots) => page.locator(".scene").first().evaluate((c, spots) => {
    const scale = c.width / c.clientWidth, reach = Math.round(9 * scale);
    const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height); // once: browsers complain of more
    return spots.map(([x, y, want]) => {
        const rgb = [1, 3, 5].map((i) => parseInt(want.slice(i, i + 2), 16));
        for (let v = Math.round(y * scale) - reach; v <= Math.round(y * scale) + reach; v++)
            for (let u = Math.round(x * scale) - reach; u <= Math.round(x * scale) + reach; u++) {
                const i = 4 * (v * c.width + u);
                if (data[i + 3] > 200 && rgb.every((value, k) => Math.abs(value - data[i + k]) < 12)) return true;
            }
        return false;
    });
}, spots);
const bodyModels = { "four-bar": "", "four-bar-spatial": "Seen along y", "slider-crank-bodies": "", trebuchet: "", "robot-arm": "Seen along y" };
async function bodiesAreDrawnByThemselves() {
    for (const [name, view] of Object.entries(bodyModels)) {
        run("run", join(models, `${name}.yaml`), "-q", "-o", `${name}.h5`);
        run("report", `${name}.h5`, "-q", "-o", `${name}.html`);
        for (const [width, height] of [[1280, 800], [390, 844]]) {
            const { page, close } = await open(`${name}.html`, { viewport: { width, height }, colorScheme: "light" });
            const notes = await page.locator(".stage").textContent();
            check(`${name} names its view`, view === "" ? !notes.includes("Seen along") : notes.includes(view), notes);
            await page.screenshot({ path: join(screenshots, `${name}-${width}.png`) });
            await close();
        }
    }
    const { page, close } = await open("four-bar-spatial.html", { viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    // the box around all points of the run: B goes round A at 0.1 m, C swings about D at 0.3 m
    const { w, h } = await page.locator(".scene").first().evaluate((c) => ({ w: c.clientWidth, h: c.clientHeight }));
    const top = 0.3, low = -0.1, left = -0.1, right = await page.evaluate(() => {
        const d = JSON.parse(document.getElementById("data").textContent).runs[0].drawing;
        return Math.max(...d.numbers.map((n, i) => (i % 2 === 0 ? n.high ?? n.low : -1)));
    });
    const unit = Math.min((w - 52) / (right - left), (h - 52) / (top - low));
    const at = (x, z) => [w / 2 + (x - (left + right) / 2) * unit, h / 2 - (z - (top + low) / 2) * unit];
    const [crank, coupler, rocker, nothing] = await near(page,
        [[...at(0, 0.05), "#1f62a7"], [...at(0.2, 0.2), "#d0651a"], [...at(0.4, 0.15), "#2b8a5b"], [...at(0.2, 0.1), "#d0651a"]]);
    check("crank, coupler and rocker are where they belong", crank && coupler && rocker, `${crank} ${coupler} ${rocker}`);
    check("nothing is where nothing belongs", !nothing);
    const before = await pixels(page, ".scene");
    await seek(page, 0.3);
    check("bodies move", (await pixels(page, ".scene")) !== before);
    await close();
}

// shapes of bodies: filled where the bodies are, the ground hatched below its line, nothing between them
const seen = (page, points) => page.evaluate((points) => {
    const { drawing } = JSON.parse(document.getElementById("data").textContent).runs[0], box = [Infinity, Infinity, -Infinity, -Infinity];
    const floats = (text, type) => new type(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
    const numbers = drawing.numbers.map((n) => n.data === undefined ? [n.low]
        : Array.from(floats(n.data, Uint16Array), (level) => n.low + ((n.high - n.low) * level) / 65535));
    const at = (k, frame) => numbers[k][numbers[k].length > 1 ? frame : 0], frames = floats(drawing.t, Float64Array).length;
    for (const look of drawing.looks) {
        const { name, first } = drawing.bodies[look.body], told = look.like === undefined ? look : drawing.looks[look.like];
        const s = floats(told.points, Float32Array).map((x, i) => (look.scale ?? 1) * x + (look.shift?.[i % 3] ?? 0));
        for (let frame = 0; name !== "ground" && frame < frames; frame++)
            for (let i = 0; i < s.length; i += 3) {
                const n = (k) => at(first + k, frame), row = (k) => n(k) * s[i] + n(k + 1) * s[i + 1] + n(k + 2) * s[i + 2];
                const x = n(0) + (drawing.view ? row(3) : n(2) * s[i] - n(3) * s[i + 1]);
                const y = n(1) + (drawing.view ? row(6) : n(3) * s[i] + n(2) * s[i + 1]);
                [x, y].forEach((v, k) => ((box[k] = Math.min(box[k], v)), (box[k + 2] = Math.max(box[k + 2], v))));
            }
    }
    const { clientWidth: w, clientHeight: h } = document.querySelector(".scene"), [x0, y0, x1, y1] = box;
    const unit = Math.min((w - 52) / (x1 - x0), (h - 52) / (y1 - y0));
    return points.map(([x, y]) => [w / 2 + (x - (x0 + x1) / 2) * unit, h / 2 - (y - (y0 + y1) / 2) * unit]);
}, points);
// a corner of the first domino, by its coordinates and not by what the drawing has of it
const leaningCorner = (page, share) => page.evaluate((share) => {
    const run = JSON.parse(document.getElementById("data").textContent).runs[0];
    const floats = (text, type) => new type(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
    const t = floats(run.t, Float64Array), i = t.findIndex((now) => now >= share * t[t.length - 1] - 1e-9);
    const [x, y, a] = ["x", "y", "angle"].map((name) => {
        const column = run.columns.find((c) => c.name === `d[1].${name}`);
        return floats(column.data, Float32Array)[i] + column.offset;
    });
    return [x + 0.00375 * Math.cos(a) - 0.024 * Math.sin(a), y + 0.00375 * Math.sin(a) + 0.024 * Math.cos(a)];
}, share);
const shapeModels = { dominoes: "", stack: "Seen along", "newtons-cradle": "", billiard: "Seen along z" };
async function shapesAreDrawn() {
    for (const [name, view] of Object.entries(shapeModels)) {
        run("run", join(models, `${name}.yaml`), "-q", ...(name === "billiard" ? ["--end", "0.2"] : []), "-o", `${name}.h5`);
        run("report", `${name}.h5`, "-q", "-o", `${name}.html`);
        for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]]) {
            const { page, close } = await open(`${name}.html`, { viewport: { width, height: 800 }, colorScheme });
            check(`${name} names its view`, (await page.locator(".stage").textContent()).includes(view));
            await page.screenshot({ path: join(screenshots, `${name}-${width}.png`) });
            await close();
        }
    }
    const options = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };
    const dominoes = async (share) => { // a page is read back once: see near
        const { page, close } = await open("dominoes.html", options), points = await seen(page,
            [[0.0275 - 0.00375, 0.03], [0.04125, 0.024], [0.04125, 0], [0.055 + 0.00375, 0.046], await leaningCorner(page, share)]);
        await seek(page, share);
        const found = await near(page, ["#1f62a7", "#d0651a", "#9aa2aa", "#d0651a", "#1f62a7"].map((want, i) => [...points[i], want]));
        await close();
        return found;
    };
    const [first, nothing, wall, second] = await dominoes(0);
    check("dominoes stand where they belong", first && second, `${first} ${second}`);
    check("the ground is hatched, and nothing is between dominoes", wall && !nothing, `${wall} ${nothing}`);
    const [, , , isUp, leans] = await dominoes(0.35);
    check("dominoes fall to the side where they fall", !isUp && leans, `${isUp} ${leans}`);
    const stands = await open("stack.html", options), middles = await seen(stands.page, [[0, 0.05], [0, 0.15], [0, 0.25], [0.1, 0.25]]);
    // a face towards who looks has 0.908 of its colour
    const faces = ["#1c5998", "#bd5c18", "#277d53", "#277d53"].map((want, i) => [...middles[i], want]);
    check("cubes are on each other, each in its colour", (await near(stands.page, faces)).join() === "true,true,true,false");
    await stands.close();
}

async function aMillionRowsStayFluid() {
    run("run", join(models, "bouncing-ball.yaml"), "-q", "--step", "1e-6", "--end", "1", "-o", "long.h5");
    const start = Date.now();
    run("report", "long.h5", "-q", "-o", "long.html");
    const written = (Date.now() - start) / 1000, megabytes = statSync(join(folder, "long.html")).size / 1e6;
    const { page, close, seconds } = await open("long.html");
    const facts = await page.locator("dl").textContent();
    check("a million rows were recorded", facts.includes("1000001"), facts);
    check("the page is small", megabytes < 15, `${megabytes} MB`);
    check("the page opens fast", seconds < 10, `${seconds} s`);
    await page.getByRole("button", { name: "Play" }).click();
    const frames = await page.evaluate(() => new Promise((tell) => {
        let n = 0;
        const end = performance.now() + 1000, tick = () => (n++, performance.now() < end ? requestAnimationFrame(tick) : tell(n));
        requestAnimationFrame(tick);
    }));
    check("it stays fluid", frames >= 8, `${frames} frames in a second`);
    console.log(`1e6 rows: written in ${written.toFixed(1)} s, ${megabytes.toFixed(2)} MB, opens in ${seconds.toFixed(2)} s, ${frames} frames/s`);
    await close();
}

try {
    const crank = join(models, "slider-crank.yaml");
    run("run", crank, "-q", "--end", "0.1", "-o", "midpoint.h5");
    run("run", crank, "-q", "--end", "0.1", "--scheme", "tdg_velocity", "--start", "der(th1)=110", "-o", "tdg.h5");
    run("report", "midpoint.h5", "-q", "-o", "one.html");
    run("report", "midpoint.h5", "tdg.h5", "-q", "-o", "two.html");
    await aReportMovesSeeksAndZooms();
    await aComparisonShowsBothRuns();
    await runsOfOneSchemeAreToldApart();
    for (const scheme of ["light", "dark"])
        for (const [width, height] of [[1280, 800], [390, 844]]) {
            await nothingOverlaps("one.html", width, height, scheme);
            await nothingOverlaps("two.html", width, height, scheme);
        }
    await hostileTextCannotRun();
    await picturesAreTrue();
    await bodiesAreDrawnByThemselves();
    await shapesAreDrawn();
    await aMillionRowsStayFluid();
    await testSpace({ check, run, seek, models, folder, screenshots, flat: open, open: (file, options) => open(file, options, spacious) });
} catch (error) {
    failures++;
    console.log(`FAILED: ${error.stack ?? error}`);
} finally {
    await browser.close();
    await spacious.close();
    rmSync(folder, { recursive: true, force: true });
}
console.log(`${done} checks, ${failures} failed; screenshots in ${screenshots}`);
process.exit(failures ? 1 : 0);
