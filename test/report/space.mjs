// SPDX-License-Identifier: Apache-2.0
// Pages of models in space in a real browser with WebGL (SwiftShader): bodies are where they belong, in their colours; the
// camera turns, comes nearer, follows; forces are shown and hidden; and a browser without WebGL gets the flat drawing.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const light = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

// how many pixels of the scene have which hue, and where they are in the mean: of 0 .. 1 from the left and the top
async function hues(page) {
    const picture = (await page.locator(".scene").screenshot()).toString("base64");
    return page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const c = canvas.getContext("2d");
        c.drawImage(image, 0, 0);
        const pixel = c.getImageData(0, 0, canvas.width, canvas.height).data, found = {};
        for (let i = 0; i < pixel.length; i += 4) {
            const [r, g, b] = [pixel[i], pixel[i + 1], pixel[i + 2]], most = Math.max(r, g, b), range = most - Math.min(r, g, b);
            if (range < 45) continue; // grey
            const turn = most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range, hue = (60 * turn + 360) % 360;
            const name = hue < 60 ? "orange" : hue > 190 && hue < 240 ? "blue" : hue > 120 && hue < 180 ? "green" : "other";
            const sum = (found[name] ??= { n: 0, x: 0, y: 0 });
            sum.n++;
            sum.x += (i / 4) % canvas.width / canvas.width;
            sum.y += Math.floor(i / 4 / canvas.width) / canvas.height;
        }
        for (const sum of Object.values(found)) (sum.x /= sum.n), (sum.y /= sum.n);
        return { orange: { n: 0 }, blue: { n: 0 }, green: { n: 0 }, ...found };
    }, picture);
}

const choose = (page, label, value) => page.locator(`select[aria-label="${label}"]`).selectOption(value);
const press = (page, name) => page.locator(".space-bar").getByRole("button", { name, exact: true }).click();
const painted = (page) => page.evaluate(() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(tell))));

export async function testSpace({ open, check, run, seek, models, folder, screenshots, flat }) {
    const make = (name, ...words) => {
        run("run", join(models, `${name}.yaml`), "-q", ...words, "-o", `${name}.h5`);
        run("report", `${name}.h5`, "-q", "-o", `${name}-space.html`);
    };

    async function cubesStandOnEachOther() {
        make("stack");
        const { page, close } = await open("stack-space.html", light);
        await choose(page, "forces", "none");
        await seek(page, 0.5);
        await press(page, "x");
        await painted(page);
        const { orange, blue, green } = await hues(page);
        const middles = [green, orange, blue].every((c) => Math.abs(c.x - 0.5) < 0.02);
        check("cubes are above each other", middles && green.y < orange.y - 0.1 && orange.y < blue.y - 0.1, JSON.stringify({ orange, blue, green }));
        const sizes = [orange.n / green.n, blue.n / green.n];
        check("cubes are of one size", sizes.every((s) => s > 0.8 && s < 1.25), sizes.join());

        await choose(page, "forces", "arrows");
        await painted(page);
        const arrows = await hues(page);
        check("arrows show forces", arrows.orange.n > orange.n + 50, `${arrows.orange.n} ${orange.n}`);
        await choose(page, "forces", "chains");
        await painted(page);
        const chains = await hues(page);
        check("chains go through bodies of glass", chains.blue.n < 0.5 * blue.n, `${chains.blue.n} ${blue.n}`);
        await page.screenshot({ path: join(screenshots, "stack-chains.png") });
        await choose(page, "forces", "none");
        await press(page, "fit");
        await painted(page);
        const start = await hues(page), box = await page.locator(".scene").boundingBox();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 160, y + 30, { steps: 4 });
        await page.mouse.up();
        await painted(page);
        const turned = await hues(page);
        check("dragging turns the scene", Math.abs(turned.blue.n - start.blue.n) + Math.abs(turned.green.n - start.green.n) > 200,
            JSON.stringify([start, turned]));
        await page.mouse.wheel(0, -600);
        await painted(page);
        const near = await hues(page);
        check("the wheel brings it nearer", near.orange.n > 1.5 * turned.orange.n, `${near.orange.n} ${turned.orange.n}`);
        await press(page, "fit");
        await painted(page);
        const again = await hues(page);
        check("fit shows all again", Math.abs(again.blue.n - start.blue.n) < 0.02 * start.blue.n, `${again.blue.n} ${start.blue.n}`);
        await close();
    }

    async function aBodyCanBeFollowed() {
        make("rolling-coin");
        const { page, close } = await open("rolling-coin-space.html", light);
        await choose(page, "forces", "none");
        const at = async (share) => {
            await seek(page, share);
            await painted(page);
            return (await hues(page)).blue;
        };
        const [a, b] = [await at(0.02), await at(0.4)];
        check("the coin moves", Math.hypot(a.x - b.x, a.y - b.y) > 0.05, JSON.stringify([a, b]));
        await choose(page, "follow", { label: "follow coin" });
        const [c, d] = [await at(0.02), await at(0.4)];
        check("a body that is followed stays in the middle", [c, d].every((p) => Math.hypot(p.x - 0.5, p.y - 0.5) < 0.03), JSON.stringify([c, d]));
        await close();
        const touched = await open("rolling-coin-space.html", { ...light, viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
        const box = await touched.page.locator(".scene").boundingBox(), client = await touched.page.context().newCDPSession(touched.page);
        const fingers = (type, xs) => client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x) => ({ x: box.x + x * box.width, y: box.y + box.height / 2 })) });
        await choose(touched.page, "forces", "none");
        await choose(touched.page, "follow", { label: "follow coin" });
        await painted(touched.page);
        const before = (await hues(touched.page)).blue.n;
        await fingers("touchStart", [0.45, 0.55]);
        for (const x of [0.4, 0.3, 0.2]) await fingers("touchMove", [x, 1 - x]);
        await fingers("touchEnd", []);
        await painted(touched.page);
        const after = (await hues(touched.page)).blue.n;
        check("two fingers bring it nearer", after > 1.5 * before, `${after} ${before}`);
        await touched.page.screenshot({ path: join(screenshots, "rolling-coin-390-dark.png") });
        await touched.close();
    }

    async function itMovesInLightAndDark() {
        make("billiard", "--end", "0.2");
        for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "light"]]) {
            const { page, close } = await open("billiard-space.html", { viewport: { width, height: 800 }, colorScheme });
            await seek(page, 0.3);
            await painted(page);
            const before = await page.locator(".scene").screenshot();
            await page.getByRole("button", { name: "Play" }).click();
            await page.waitForTimeout(500);
            await page.getByRole("button", { name: "Pause" }).click();
            check("the scene moves", !before.equals(await page.locator(".scene").screenshot()));
            await page.screenshot({ path: join(screenshots, `billiard-space-${width}-${colorScheme}.png`) });
            await close();
        }
    }

    async function onlySpaceCarriesTheScene() {
        run("report", "stack.h5", "-q", "-o", "space.html");
        run("run", join(models, "bouncing-ball.yaml"), "-q", "--end", "0.1", "-o", "plane.h5");
        run("report", "plane.h5", "-q", "-o", "plane.html");
        const [space, plane] = ["space.html", "plane.html"].map((f) => statSync(join(folder, f)).size);
        check("pages of the plane are small", plane < 250e3 && space > 500e3 + plane / 2, `${plane} ${space}`);
    }

    async function aThousandBodiesAreShown() {
        writeFileSync(join(folder, "many.yaml"), `carom: 1\nname: many\ngravity: [0, 0, -9.81]\ndetection: none
bodies:\n  b[i,j,k]:\n    for: {i: 1..10, j: 1..10, k: 1..10}\n    density: 1000\n    at: [0.11*i, 0.11*j, 0.11*k]
    spin: [i, j, k]\n    shape: {sphere: [0, 0, 0], radius: 0.03 + 0.002*k}\n  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}
materials: [{between: [default, default]}]\nrun: {scheme: moreau_midpoint, step: 1e-2, end: 0.2}\n`);
        run("run", join(folder, "many.yaml"), "-q", "-o", "many.h5");
        run("report", "many.h5", "-q", "-o", "many.html");
        const { page, close, seconds } = await open("many.html", light);
        await page.getByRole("button", { name: "Play" }).click();
        const frames = await page.evaluate(() => new Promise((tell) => {
            let n = 0;
            const end = performance.now() + 2000, tick = () => (n++, performance.now() < end ? requestAnimationFrame(tick) : tell(n / 2));
            requestAnimationFrame(tick);
        }));
        const { blue, orange } = await hues(page), megabytes = statSync(join(folder, "many.html")).size / 1e6;
        const thinned = await page.locator(".space-bar .note").textContent();
        check("what is left out to be quick is said", thinned.includes("without shadows"), thinned);
        check("a thousand bodies are drawn", blue.n > 500 && orange.n > 500, JSON.stringify({ blue, orange }));
        check("what looks alike is told once", megabytes < 3, `${megabytes} MB`);
        check("a thousand bodies move", frames >= 2, `${frames} frames/s`); // on a machine that has other work
        console.log(`1000 bodies: ${megabytes.toFixed(2)} MB, opens in ${seconds.toFixed(2)} s, ${frames} frames/s`);
        await page.screenshot({ path: join(screenshots, "many.png") });
        await close();
    }

    async function withoutWebGLTheDrawingIsFlat() {
        const { page, close } = await flat("stack-space.html", light), words = await page.locator(".stage").textContent();
        check("a browser without WebGL says so", words.includes("no WebGL") && words.includes("Seen along"), words);
        check("and has no bar of the scene", (await page.locator(".space-bar").count()) === 0);
        await close();
    }

    await cubesStandOnEachOther();
    await aBodyCanBeFollowed();
    await itMovesInLightAndDark();
    await onlySpaceCarriesTheScene();
    await aThousandBodiesAreShown();
    await withoutWebGLTheDrawingIsFlat();
}
