// SPDX-License-Identifier: Apache-2.0
// The page of a study: its points, a click on one, the motion that then plays, keys and buttons; no request leaves the page.
// Usage: node study_page.mjs VIEWER CHROMIUM FOLDER SCREENSHOTS
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import assert from "node:assert/strict";

const [viewer, executablePath, folder, shots] = process.argv.slice(2);
const { chromium } = createRequire(`${viewer}/`)("playwright-core");
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const name of ["bif", "basin"]) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    const trouble = [];
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("console", (message) => { if (message.type() === "error") trouble.push(message.text()); });
    page.on("request", (request) => { if (!request.url().startsWith("file:")) trouble.push(request.url()); });
    await page.goto(`file://${folder}/${name}.html`);
    const map = page.locator("canvas.map");
    await map.waitFor();
    assert.equal(await map.count(), 1);
    const title = () => page.locator(".run").first().textContent();
    const first = await title();
    // the left end of the picture, then the right one
    const box = await map.boundingBox();
    await page.mouse.click(box.x + 80, box.y + 150);
    const left = await title();
    await page.mouse.click(box.x + box.width - 25, box.y + 150);
    const right = await title();
    assert.notEqual(left, right, "a click shows another motion");
    assert.ok(first !== left || first !== right);
    assert.match(right, name === "bif" ? /w = 1\.3/ : /x = 2/);
    assert.equal(await map.count(), 1);
    // it moves, and stops where it is told to
    const clock = page.locator(".clock");
    const before = await clock.textContent();
    await page.waitForTimeout(600);
    assert.notEqual(await clock.textContent(), before, "the motion plays");
    await page.getByTitle("the motion before").click();
    assert.notEqual(await title(), right);
    await page.screenshot({ path: `${shots}/study-${name}.png` });
    assert.deepEqual(trouble, []);
    await page.close();
}
await browser.close();
