// browser.mjs - opens the pages in $PAGES in a real Chromium. Each page must open without a message
// on the console and must load nothing but itself. Then the tests click and type in it. Screenshots
// go to $SHOTS.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { PAGES, SHOTS, CHROMIUM } = process.env;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const HERE = pathToFileURL(PAGES).href; // a URL, with blanks encoded
const PATIENCE = 300_000; // milliseconds; machines can be slow
let browser;

before(async () => { browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: PATIENCE }); });
after(async () => { await browser?.close(); });

/** Opens a page, does something with it, and checks that the console stayed empty. */
async function visit(file, act, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const noise = [], asked = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(String(error.stack)));
  page.on("dialog", (dialog) => { noise.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${HERE}/${file}`);
  await act(page);
  const own = asked.filter((url) => url.startsWith(`${HERE}/`) && url.split(/[?#]/)[0].endsWith(".html"));
  assert.deepEqual(noise, [], `${file}: the console`);
  assert.deepEqual(asked, own, `${file}: what was asked for`);
  await context.close();
}

/** A clock that counts the CPU time of the page's thread, in milliseconds. Other work on the machine
 * does not count. */
async function cpuClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ThreadTime").value;
  };
}

const shot = (page, name) => page.screenshot({ path: `${SHOTS}/${name}.png` });
const selected = (page) => page.locator(".row.selected .step").innerText();
const panel = (page) => page.locator(".panel").innerText();
const hash = (page) => page.evaluate(() => location.hash);
const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test("a deadlock: its graph, its waits, its end", () => visit("deadlock/abba_wrong.html", async (page) => {
  const tasks = await page.locator(".waits .node").count();
  assert.ok(tasks >= 2);
  assert.equal(await page.locator(".waits .edge.cycle").count(), tasks);
  assert.match(await page.locator("h1").innerText(), /deadlock/);
  assert.equal(await page.locator(".card").count(), tasks);
  assert.ok(await page.locator(".row.ending").count() >= 2);
  assert.ok(await page.locator("rect.stuck").count() >= 2, "tasks that wait for ever are hatched");
  const task = await page.locator(".waits .node").last().getAttribute("data-task");
  await page.locator(".waits .node").last().click();
  assert.match(await panel(page), new RegExp(`T${task}\\b`));
  assert.match(await panel(page), /blocked: lock/);
  await shot(page, "deadlock");
}));

test("a graph of waits: nothing lies on anything else", () => visit("waits/ring.html", async (page) => {
  assert.equal(await page.locator(".waits .node.cycle").count(), 5);
  assert.equal(await page.locator(".waits .edge.cycle").count(), 5);
  assert.equal(await page.locator(".waits .edge").count(), 9, "five, main, and three guests");
  const boxes = await page.locator(".waits rect, .waits text").evaluateAll((all) => all.map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left, right, top, bottom, group: [...document.querySelectorAll(".waits .node, .waits .edge")].indexOf(each.parentNode) };
  }));
  for (const a of boxes) for (const b of boxes)
    if (a.group !== b.group)
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, JSON.stringify([a, b]));
  const frame = await page.locator("svg.waits").boundingBox();
  for (const box of boxes) assert.ok(box.left >= frame.x && box.right <= frame.x + frame.width, "it is within the picture");
  assert.match(await page.locator(".waits").innerHTML(), /waits for T1 to end/);
  await shot(page, "ring");
}));

test("a race: both stacks side by side, with source", () => visit("race/publish_wrong.html", async (page) => {
  const cards = page.locator(".card");
  assert.equal(await cards.count(), 2);
  const [first, second] = [await cards.nth(0).boundingBox(), await cards.nth(1).boundingBox()];
  assert.equal(first.y, second.y);
  assert.ok(second.x >= first.x + first.width);
  assert.ok(await page.locator(".card .excerpt .here").count() >= 2);
  await shot(page, "race");
}));

test("keys go from step to step", () => visit("queue/queue_wrong.html", async (page) => {
  assert.equal(await selected(page), "!", "it begins at the failure");
  assert.match(await panel(page), /assertion failed/);
  await press(page, "Home");
  assert.equal(await hash(page), "#1");
  await press(page, "ArrowDown", "ArrowDown");
  assert.equal(await selected(page), "3");
  await press(page, "ArrowUp");
  assert.equal(await selected(page), "2");
  const task = (await panel(page)).match(/T\d+/)[0];
  await press(page, "Home", "ArrowRight");
  assert.equal((await panel(page)).match(/T\d+/)[0], task, "of the same task");
  await press(page, "ArrowLeft");
  assert.equal(await hash(page), "#1");
  await press(page, "End", "ArrowDown");
  assert.equal(await selected(page), "!");
  await page.locator(".row").nth(4).click();
  assert.equal(await hash(page), "#5");
  assert.ok(await page.locator(".panel .excerpt .here").count() >= 1);
  const number = await page.locator(".panel .step-link .step").first().innerText();
  await page.locator(".panel .step-link").first().click();
  assert.equal(await selected(page), number, "what it is ordered with is a link");
}));

test("the address says which step", () => visit("queue/queue_wrong.html#4", async (page) => {
  assert.equal(await selected(page), "4");
  await page.evaluate(() => { location.hash = "#6"; });
  await page.waitForFunction(() => document.querySelector(".row.selected .step")?.textContent === "6");
}));

test("search", () => visit("queue/queue_wrong.html", async (page) => {
  await press(page, "Home", "/");
  await page.keyboard.type("unlock queue");
  const hits = await page.locator(".row.hit").count();
  assert.ok(hits >= 2);
  assert.match(await page.locator(".count").innerText(), new RegExp(`^${hits}$`));
  await press(page, "Enter");
  assert.match(await page.locator(".count").innerText(), new RegExp(`^1 of ${hits}$`));
  await shot(page, "search");
  await press(page, "Enter");
  assert.match(await page.locator(".count").innerText(), new RegExp(`^2 of ${hits}$`));
  await page.locator(".timeline").focus();
  await press(page, "N");
  assert.match(await page.locator(".count").innerText(), new RegExp(`^1 of ${hits}$`));
  await press(page, "n");
  assert.match(await page.locator(".count").innerText(), new RegExp(`^2 of ${hits}$`));
  assert.match(await panel(page), /unlock/);
  await press(page, "/");
  await page.keyboard.type("no such thing");
  assert.equal(await page.locator(".count").innerText(), "none");
  await press(page, "Escape");
  assert.equal(await page.locator(".row.hit").count(), 0);
  await press(page, "Home");
  assert.equal(await hash(page), "#1", "the keys are the schedule's again");
}));

test("zoom", () => visit("queue/queue_wrong.html", async (page) => {
  const height = async () => (await page.locator(".row.selected").boundingBox()).height;
  const usual = await height();
  await press(page, "+");
  assert.ok(await height() > usual);
  await press(page, "0");
  assert.equal(await height(), usual);
  await press(page, "-", "-", "-");
  assert.ok(await height() < usual);
  await press(page, "0");
  await page.locator(".timeline").hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await page.waitForFunction((least) => document.querySelector(".row.selected").offsetHeight > least, usual);
}));

test("light and dark, by system and by key", async () => {
  let light;
  await visit("queue/queue_wrong.html", async (page) => {
    light = await paper(page);
    await press(page, "t");
    assert.notEqual(await paper(page), light);
    await page.reload();
    await page.locator("#theme").click();
    assert.equal(await paper(page), light);
  }, { colorScheme: "light" });
  await visit("queue/queue_wrong.html", async (page) => {
    assert.notEqual(await paper(page), light);
    await shot(page, "queue-dark");
  }, { colorScheme: "dark" });
});

test("help lists the keys, and closes", () => visit("queue/queue_wrong.html", async (page) => {
  await press(page, "?");
  assert.ok(await page.locator("dialog.help").isVisible());
  assert.ok(await page.locator("dialog.help kbd").count() >= 10);
  await shot(page, "help");
  await press(page, "Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
}));

test("a receive has a race set, and each rival is a step away", () => visit("messages/senders.html", async (page) => {
  assert.ok(await page.locator(".arrow.message").count() >= 2);
  await press(page, "/");
  await page.keyboard.type("receive");
  await press(page, "Enter");
  const rivals = page.locator("#race-set .step-link");
  assert.ok(await rivals.count() >= 1);
  assert.ok(await page.locator(".arrow.rival").count() >= 1);
  await shot(page, "race-set");
  const step = await rivals.first().locator(".step").innerText();
  await rivals.first().click();
  assert.equal(await selected(page), step);
  assert.match(await panel(page), /send mailbox/);
}));

test("the passing schedule beside it", () => visit("passing.html", async (page) => {
  const words = await page.locator(".evidence").innerText();
  assert.match(words, /Smallest schedule: 2 context switches .*4/);
  assert.match(words, /The switch that matters: T2 \(second\) ran/);
  assert.match(words, /Critical step: 5, lock locks\[2\]/);
  assert.match(words, /What passes: /);
  await page.locator("[data-shows=critical]").click();
  assert.equal(await selected(page), "5");
  assert.match(await page.locator("#failing .row.marked").first().innerText(), /the switch that matters · critical step/);
  assert.equal(await page.locator("#passing").count(), 0);
  await press(page, "p");
  assert.equal(await page.locator("#passing .row").count(), 4);
  for (const side of ["#failing", "#passing"])
    assert.match(await page.locator(`${side} .row`).nth(3).innerText(), /differs from here on/);
  await page.locator("#passing .row").nth(3).click();
  assert.equal(await hash(page), "#p4");
  assert.match(await panel(page), /passing schedule/);
  await shot(page, "passing");
  await page.locator("#toggle-passing").click();
  assert.equal(await page.locator("#passing").count(), 0);
  assert.equal(await page.locator("#failing .row.selected").count(), 1);
}));

test("5,000 steps: small, quick, and all there", () => visit("long/long.html", async (page) => {
  assert.ok(statSync(`${PAGES}/long/long.html`).size < 3 << 20);
  const cpu = await cpuClock(page), times = [];
  for (let i = 0; i < 3; i++) {
    const start = await cpu();
    await page.goto(`${HERE}/long/long.html?${i}`);
    await page.waitForSelector(".row.selected");
    times.push(await cpu() - start);
  }
  assert.ok(Math.min(...times) > 0 && Math.min(...times) < 1000, `opened in ${times.map(Math.round)} ms of CPU`);
  const steps = Number((await page.locator(".timeline").getAttribute("aria-label")).match(/([\d,]+) steps/)[1].replaceAll(",", ""));
  assert.ok(steps >= 5000);
  assert.ok(await page.locator(".row").count() < 150, "only what is in view is there");
  await shot(page, "long-end");
  await press(page, "Home");
  assert.equal(await selected(page), "1");
  await shot(page, "long-start");
  await press(page, "f");
  const fits = await page.evaluate(() => { const it = document.querySelector(".timeline"); return it.scrollHeight <= it.clientHeight + 40; });
  assert.ok(fits);
  await shot(page, "long-fit");
  await press(page, "0", "End");
  assert.equal(await selected(page), "!");
}));

test("30 tasks: heads stay, lanes scroll", () => visit("crowd/crowd.html", async (page) => {
  assert.equal(await page.locator(".lane-head").count(), 31);
  await press(page, "End");
  const box = await page.locator(".timeline").boundingBox();
  const head = await page.locator(".lane-heads").boundingBox();
  assert.ok(Math.abs(head.y - box.y) < 2, "the heads are at the top");
  await shot(page, "crowd");
  await press(page, "/");
  await page.keyboard.type("T30 unlock");
  await press(page, "Enter");
  const left = await page.evaluate(() => document.querySelector(".row.selected .label").getBoundingClientRect().x);
  assert.ok(left > box.x && left < box.x + box.width, "the selected step is in view");
  assert.match(await panel(page), /T30/);
  await shot(page, "crowd-right");
}));

test("narrow, and on paper", async () => {
  await visit("queue/queue_wrong.html", async (page) => {
    const main = await page.locator(".timeline").boundingBox(), side = await page.locator(".panel").boundingBox();
    assert.ok(side.y >= main.y + main.height - 1, "the panel is below");
    await shot(page, "narrow");
  }, { viewport: { width: 600, height: 900 } });
  await visit("crowd/crowd.html", async (page) => {
    const all = Number((await page.locator(".timeline").getAttribute("aria-label")).match(/([\d,]+) steps/)[1].replaceAll(",", ""));
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await page.locator(".row").count() > all);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.ok(await page.locator(".row").count() < all);
  });
  await visit("queue/queue_wrong.html", async (page) => {
    assert.ok((await page.pdf({ path: `${SHOTS}/queue.pdf` })).length > 1000);
  });
});

test("texts of the program are only ever texts", () => visit("hostile.html", async (page) => {
  assert.match(await page.locator("h1").innerText(), /<\/script><script>alert\(1\)/);
  for (let i = 0; i < 6; i++) await press(page, "ArrowUp");
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
}));

test("an execution that ended before its first step", () => visit("bare.html", async (page) => {
  assert.match(await page.locator("h1").innerText(), /crash/);
  assert.equal(await page.locator(".card").count(), 1);
  assert.match(await panel(page), /before its first step/);
  await press(page, "End", "Home", "ArrowDown", "ArrowLeft", "f", "+", "/", "n");
}));

test("a trace of format 1", () => visit("old.html", async (page) => {
  assert.match(await page.locator("h1").innerText(), /\w/);
  assert.ok(await page.locator(".row").count() > 3);
}));

test("the page of a run leads to its findings", () => visit("deadlock/index.html", async (page) => {
  assert.match(await page.locator("h1").innerText(), /bug/);
  assert.match(await page.locator("main").innerText(), /complete executions/);
  await shot(page, "run");
  await page.locator(".findings a").first().click();
  await page.waitForSelector(".timeline");
  assert.match(await page.locator("h1").innerText(), /deadlock/);
}));

test("long names are short, and whole where one points at them", () => visit("templates/names.html", async (page) => {
  const cut = page.locator(".stack .function[title]").filter({ hasText: "<...>" }).first();
  assert.ok((await cut.getAttribute("title")).length > (await cut.innerText()).length);
  for (const name of await page.locator(".stack .function[title]").allInnerTexts()) assert.ok(name.length < 120, name);
  const place = page.locator(".excerpt .here").filter({ hasText: "functions.clear()" }).first();
  await shot(page, "names");
  assert.ok(await place.isVisible());
  const box = await place.boundingBox(), around = await page.locator(".timeline").first().boundingBox();
  assert.ok(box.y + box.height <= around.y, "the place of the user is in sight");
}));

test("a wide table of long names has all its columns in sight", () => visit("templates/index.html", async (page) => {
  assert.ok(await page.locator(".wide").count() > 1);
  await shot(page, "names-run");
  for (const wide of await page.locator(".wide").all())
    assert.ok(await wide.evaluate((node) => node.scrollWidth <= node.clientWidth), "nothing is out of sight");
}));

/** Two messages come in either order. The second receive cannot come before a send that the first
 * receive waits for. */
test("the page of a right program has its coverage", () => visit("covered/index.html", async (page) => {
  assert.match(await page.locator("h1").innerText(), /verified: all 2 executions/);
  assert.equal(await page.locator(".findings").count(), 0);
  assert.match(await page.locator("main").innerText(), /2 of 3 pairs ran in both orders; the search is complete/);
  assert.match(await page.locator("main").innerText(), /never/);
  await shot(page, "covered");
}));

test("what assistive technology is told", () => visit("queue/queue_wrong.html", async (page) => {
  assert.equal(await page.locator("[role=listbox]").count(), 1);
  assert.equal(await page.locator("[role=option][aria-selected=true]").count(), 1);
  const active = await page.locator("[role=listbox]").getAttribute("aria-activedescendant");
  assert.match(await page.locator(`#${active}`).getAttribute("aria-label"), /T\d+.*: /);
  for (const button of await page.locator("button").all())
    assert.ok((await button.getAttribute("aria-label")) || (await button.innerText()).trim(), "a button has a name");
}));
