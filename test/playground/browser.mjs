// SPDX-License-Identifier: Apache-2.0
// The playground in a real browser, from file:// and without a network: it runs, agrees with the native command, shows
// what is wrong at its place, is shared by its address, and ends what would not end.
// Usage: node browser.mjs CAROM PAGE-FOLDER SOURCE CHROMIUM SCREENSHOTS [all]
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareImpacts, compareSteps } from "./agree.mjs";

const [carom, built, source, executablePath, screenshots, how] = process.argv.slice(2);
const { chromium } = createRequire(join(built, "page/package.json"))("playwright-core");
const file = join(built, "playground.html"), folder = mkdtempSync(join(tmpdir(), "carom-playground-"));
const few = ["bouncing-ball", "slider-crank", "slider-crank-bodies", "rocking-block", "cantilever-stop", "cam-follower", "dominoes"];
mkdirSync(screenshots, { recursive: true });
let failures = 0, done = 0;

function check(what, isTrue, detail = "") {
    done++;
    if (isTrue) return;
    failures++;
    console.log(`FAILED: ${what} ${detail}`);
}

const calm = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-3d-apis"];
const browser = await chromium.launch({ executablePath, args: calm });

async function open(fragment = "", options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage(), complaints = [], requests = [];
    page.setDefaultTimeout(120000);
    page.on("console", (m) => { if (["error", "warning"].includes(m.type())) complaints.push(m.text()); });
    page.on("pageerror", (e) => complaints.push(e.message));
    page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) requests.push(r.url()); });
    const start = Date.now();
    await page.goto(`file://${file}${fragment}`);
    await ran(page, 0);
    const seconds = (Date.now() - start) / 1000;
    const close = async () => {
        check("nothing is complained of", complaints.length === 0, complaints.join("; "));
        check("nothing is asked of a network", requests.length === 0, requests.join(" "));
        await context.close();
    };
    return { page, close, seconds };
}
const runs = (page) => page.evaluate(() => Number(document.documentElement.dataset.runs ?? 0));
const ran = (page, before) => page.waitForFunction((n) => Number(document.documentElement.dataset.runs ?? 0) > n, before);
const said = (page) => page.locator(".said").textContent();

// what is done to the page, and the run that comes of it
async function after(page, change) {
    const before = await runs(page);
    await change();
    await ran(page, before);
}
const write = (page, text) => after(page, () => page.locator("textarea").fill(text));

async function itRunsAtOnce() {
    const { page, close, seconds } = await open();
    check("the page has less than 3 MB", statSync(file).size < 3e6, String(statSync(file).size));
    console.log(`page: ${(statSync(file).size / 1e6).toFixed(2)} MB, first run shown after ${seconds.toFixed(2)} s`);
    check("the slider-crank is shown", (await page.locator("#view h1").textContent()) === "slider-crank");
    check("it moves", await page.locator(".scene").isVisible());
    check("it has plots", (await page.locator("#view .panel canvas").count()) >= 3);
    check("it is whole", !/cut off/.test(await page.locator("#view").textContent()));
    check("it has its audit", await page.locator(".audit-table").first().isVisible());
    await page.screenshot({ path: join(screenshots, "playground.png"), timeout: 120000 });
    await close();
}

const ball = "carom: 1\nname: ball\nparameters:\n  e: 0.5 # restitution\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\n" +
    "potential: 9.81*y\ncontacts: [{name: floor, gap: y, restitution: e}]\nrun: {scheme: moreau_jean, step: 1e-3, end: 2}\n";

async function errorsAreUnderlined() {
    const { page, close } = await open();
    await write(page, ball.replace("9.81*y", "9.81*yy"));
    check("the message says where", /line 7, column 17/.test(await said(page)), await said(page));
    check("the word is underlined", (await page.locator("mark").textContent()) === "yy");
    check("its line is marked", (await page.locator(".numbers b").textContent()).trim() === "7");
    check("what was shown is faded", await page.locator("#view.old").count() === 1);
    await page.screenshot({ path: join(screenshots, "playground-error.png"), timeout: 120000 });
    await page.locator(".said .placed").click();
    const selected = await page.locator("textarea").evaluate((a) => a.value.slice(a.selectionStart, a.selectionEnd));
    check("a click goes there", selected === "yy", selected);
    await write(page, ball.replace("restitution: e", "restitution: e[i]"));
    check("YAML's traps are explained", /put the expression in quotes: restitution: "e\[i\]"/.test(await said(page)), await said(page));
    await write(page, ball.replace("{y: {start: 1}}", "{ä: {start: 1}, y: {start: x}}"));
    check("columns count characters", (await page.locator("mark").textContent()) === "ä", await said(page));
    await write(page, ball);
    check("a good model leaves no mark", (await page.locator("mark").count()) === 0 && (await said(page)) === "", await said(page));
    check("it is shown", (await page.locator("#view h1").textContent()) === "ball");
    await write(page, ball.replace("name: ball", "name: \"<img src=x onerror=document.title='bad'>\""));
    check("names are texts", (await page.locator("#view h1").textContent()).startsWith("<img"));
    check("nothing of a model runs", (await page.title()) !== "bad");
    await close();
}

async function slidersAndAddress() {
    const { page, close } = await open();
    await write(page, ball);
    check("a slider for each number", (await page.locator(".slider").count()) === 1);
    const gap = async () => page.locator("#plot-gap canvas").evaluate((c) => c.toDataURL());
    const before = await gap();
    await after(page, () => page.locator(".slider input").evaluate((i) => { i.value = "0.9"; i.dispatchEvent(new Event("input")); }));
    check("a slider changes the run", (await gap()) !== before);
    check("the text stays", (await page.locator("textarea").inputValue()) === ball);
    await after(page, () => page.locator("input[aria-label=end]").fill("1.5").then(() => page.locator("input[aria-label=end]").press("Enter")));
    await page.getByRole("button", { name: "Share" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#m="));
    const fragment = await page.evaluate(() => location.hash);
    await close();
    const other = await open(fragment);
    check("the address brings the text", (await other.page.locator("textarea").inputValue()) === ball);
    check("and the slider", (await other.page.locator(".slider output").textContent()) === "0.9");
    check("and the end", (await other.page.locator("input[aria-label=end]").inputValue()) === "1.5");
    check("and runs it", /1\.5 s/.test(await other.page.locator("#view .runs").textContent()));
    await other.close();
    for (const bad of ["#m=", "#m=AAAA", "#m=%3Cscript%3E", "#x"]) {
        const page2 = await open(bad);
        check(`the address ${bad} does no harm`, (await page2.page.locator("#view h1").textContent()) === "slider-crank");
        await page2.close();
    }
}

async function whatDoesNotEndIsEnded() {
    const { page, close } = await open();
    const time = async (text) => { const t = Date.now(); await write(page, text); return (Date.now() - t) / 1000; };
    const long = await time(ball.replace("end: 2", "end: 30000").replace("9.81*y", `9.81*y + 1e-9*(${Array.from({ length: 1500 }, (_, i) => `sin(y*${i})`).join(" + ")})`));
    check("a long run is stopped", /stopped after 10 s/.test(await said(page)) && long < 60, `${long} ${await said(page)}`);
    check("as far as it came it is shown", /partial/.test(await page.locator("#view header").textContent()));
    const rows = await time(ball.replace("step: 1e-3", "step: 1e-9"));
    check("a run of 2e9 steps is recorded thinly, and stopped", /stopped after 10 s/.test(await said(page)) && rows < 60, await said(page));
    await time(ball.replace("kinetic: der(y)^2/2", `kinetic: ${"(".repeat(40)}der(y)^2${")^2".repeat(40)}`));
    check("what grows without end is refused", (await said(page)).length > 0, await said(page));
    await time(`carom: 1\nx: ${"[".repeat(20000)}`);
    check("nesting without end is refused", /deep/.test(await said(page)), await said(page));
    await write(page, ball);
    check("after all this it still runs", (await said(page)) === "", await said(page));
    await close();
}

async function itLooksRight() {
    for (const [name, options] of [["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 } }]]) {
        const { page, close } = await open("", options);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        check(`${name}: nothing is cut off at the side`, wide <= 0, String(wide));
        await page.screenshot({ path: join(screenshots, `playground-${name}.png`), timeout: 120000 });
        await close();
    }
}

async function itAgreesWithTheCommand() {
    const { page, close } = await open();
    const { examples, schemes } = await page.evaluate(() => ({ examples: window.caromPlayground.examples, schemes: window.caromPlayground.schemes }));
    check("there are all shipped models of up to 60 coordinates", Object.keys(examples).length >= 72, String(Object.keys(examples).length));
    const told = [];
    for (const [name, text] of Object.entries(examples)) {
        if (how !== "all" && !few.includes(name)) continue;
        const model = { page, carom, folder, name, text, file: join(source, "models", `${name}.yaml`), schemes };
        for (const wrong of [...(await compareSteps(model, told)), ...(await compareImpacts(model, told))]) check("agreement", false, wrong);
    }
    const same = told.filter((t) => t.d >= 0), firm = same.filter((t) => !(t.own > 0)), loose = same.filter((t) => t.own > 0);
    console.log(`agreement: ${firm.length} runs, the largest difference ${Math.max(...firm.map((t) => t.d)).toExponential(1)}; ${told.length - same.length} refused by both`);
    for (const t of loose)
        console.log(`  ${t.name} ${t.what}: ${t.d.toExponential(1)}, by the last bit of a number the command is ${t.own.toExponential(1)} from itself`);
    check("few runs hang on the last bit", loose.length <= 0.02 * same.length, String(loose.length));
    check("there were runs to compare", same.length > 40, String(same.length));
    await close();
}

try {
    if (how !== "agree") for (const test of [itRunsAtOnce, errorsAreUnderlined, slidersAndAddress, itLooksRight, whatDoesNotEndIsEnded]) await test();
    await itAgreesWithTheCommand();
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
console.log(`${done} checks, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
