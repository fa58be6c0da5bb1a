// The browser of page.py: opens a run, says when it is drawn, and counts frames until its input ends.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("playwright-core");
const [, , url, run, events, slower] = process.argv;
const LATE_MS = 50;

/** Return the tasks of the page's thread that took it longer than LATE_MS; the time of others is left out. */
function longTasks(events) {
  const drawing = events.find((each) => each.name === "UpdateLayoutTree");
  const tasks = events.filter((each) => each.ph === "X" && each.pid === drawing.pid && each.tid === drawing.tid);
  let until = 0;
  return tasks
    .sort((one, other) => one.ts - other.ts || other.dur - one.dur)
    .filter(({ ts, dur }) => ts >= until && (until = ts + dur))
    .filter(({ tdur }) => tdur > 1000 * LATE_MS).length;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 850 } })).newPage();
await page.goto(`${url}/runs`);
const link = page.locator(`[data-run="${run}"] a`).first();
await link.waitFor();
await page.waitForLoadState("networkidle");
const devtools = await page.context().newCDPSession(page);
// In the time of the thread: what else the machine does is left out.
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
await devtools.send("Emulation.setCPUThrottlingRate", { rate: Number(slower) });
const busy = async () => (await devtools.send("Performance.getMetrics")).metrics.find((each) => each.name === "TaskDuration").value;

const before = await busy();
const drawn = page.evaluate(
  (last) =>
    new Promise((done) => {
      let begun = 0;
      window.addEventListener("click", () => (begun = performance.now()), { capture: true, once: true });
      const look = () => {
        const seen = Number(document.querySelector("[data-seq]")?.getAttribute("data-seq"));
        if (seen >= last) requestAnimationFrame(() => done(performance.now() - begun));
        else requestAnimationFrame(look);
      };
      look();
    }),
  Number(events),
);
await link.click();
const ms = await drawn;
console.log(JSON.stringify({ ms, busy_ms: 1000 * ((await busy()) - before) }));

await page.evaluate(() => {
  window.frames_ = [];
  let last = performance.now();
  const look = (now) => {
    window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
const traced = [];
devtools.on("Tracing.dataCollected", ({ value }) => traced.push(...value));
await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline"] } });
const [begun, from] = [Date.now(), await busy()];
for await (const _ of process.stdin);
const frames = (await page.evaluate(() => window.frames_)).sort((a, b) => a - b);
const busyFor = ((await busy()) - from) / ((Date.now() - begun) / 1000);
await new Promise((ended) => {
  devtools.once("Tracing.tracingComplete", ended);
  void devtools.send("Tracing.end");
});
console.log(
  JSON.stringify({
    late: frames.filter((each) => each > LATE_MS).length / frames.length,
    p95_ms: frames[Math.floor(0.95 * frames.length)],
    longest_ms: frames.at(-1),
    long_tasks: longTasks(traced),
    busy: busyFor,
  }),
);
await browser.close();
