/** Debian's Chromium, as a desktop and as a phone. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const SIZES = {
  desktop: { viewport: { width: 1280, height: 850 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Size = keyof typeof SIZES;

const PROGRAM = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] };

export function launch(): Promise<Browser> {
  return chromium.launch(PROGRAM);
}

/** Start a browser whose user blocks cookies; Chromium then keeps nothing else for a page either. */
export async function launchBlocking(): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), "quaere-blocking-"));
  mkdirSync(join(profile, "Default"));
  writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
  const context = await chromium.launchPersistentContext(profile, { ...PROGRAM, locale: "en-GB" });
  context.once("close", () => rmSync(profile, { recursive: true, force: true }));
  return context;
}

/** Adds up how far what is shown moves by itself: what follows an input within half a second does not count. */
const SHIFTS = `
  window.shifts = [];
  const shown = ({ node, previousRect: from, currentRect: to }) =>
    \`\${(node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML.slice(0, 120)} from \${from.top} to \${to.top}\`;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shifts.push({ at: location.pathname, value: entry.value, moved: entry.sources.map(shown) });
    }
  }).observe({ type: "layout-shift", buffered: true });
`;
/** The most that a page may move, as a score of Core Web Vitals; good is below 0.1. */
const MOST_SHIFT = 0.02;

/** Expect that what was to be read has stayed where it was since the page was loaded. */
export async function expectSteady(page: Page): Promise<void> {
  const shifts = await page.evaluate<{ value: number }[]>("window.shifts");
  expect(shifts.reduce((sum, { value }) => sum + value, 0), JSON.stringify(shifts, null, 1)).toBeLessThan(MOST_SHIFT);
}

/** Keeps the page from setting the direction of its language, none of which is read from the right yet. */
const MIRRORED = `
  const mirror = () => document.documentElement.dir !== "rtl" && (document.documentElement.dir = "rtl");
  new MutationObserver(mirror).observe(document, { attributes: true, subtree: true, attributeFilter: ["dir"], childList: true });
`;

/** Expect that nothing has to be scrolled sideways to be read. */
export async function expectInSight(page: Page, name = "the page"): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, `pixels that ${name} is too wide`).toBeLessThanOrEqual(0);
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** What must not be: requests to others, breaches of the policy, errors of scripts. */
  faults: string[];
}

export interface Options {
  dark?: boolean;
  /** The theme that was chosen on the page. */
  theme?: "contrast";
  /** Whether the system sets its own colours. */
  forced?: boolean;
  /** How many times larger than usual the page is shown. */
  zoom?: number;
  /** Whether it is laid out from right to left, as in a language that is read so. */
  mirrored?: boolean;
  locale?: string;
  /** Another site that the user goes to. */
  beside?: string;
}

export async function open(browser: Browser, url: string, size: Size, options: Options = {}): Promise<Opened> {
  const { zoom = 1 } = options;
  const { viewport, ...device } = SIZES[size];
  const context = await browser.newContext({
    ...device,
    // What a browser does that enlarges a page: it has less room, of larger pixels.
    viewport: { width: viewport.width / zoom, height: viewport.height / zoom },
    deviceScaleFactor: zoom,
    baseURL: url,
    locale: options.locale ?? "en-GB",
    colorScheme: options.dark ? "dark" : "light",
    forcedColors: options.forced ? "active" : "none",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  await page.addInitScript(SHIFTS);
  if (options.theme) await page.addInitScript(`localStorage.setItem("quaere.theme", "${options.theme}")`);
  if (options.mirrored) await page.addInitScript(MIRRORED);
  const faults: string[] = [];
  page.on("request", (request) => {
    const own = [url, ...(options.beside ? [options.beside] : [])];
    if (!own.some((site) => request.url().startsWith(site))) faults.push(`asks ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  return { page, context, faults };
}

/**
 * Return what opens a page for one test of a file. All share a browser; what a page must not do
 * fails the test that opened it.
 */
export function visitor(): (url: string, path: string, size: Size, options?: Options) => Promise<Opened> {
  let browser: Browser | undefined;
  const pages: Opened[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    const faults = pages.flatMap((each) => each.faults);
    await Promise.all(pages.splice(0).map(({ context }) => context.close()));
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (url, path, size, options) => {
    const opened = await open(browser!, url, size, options);
    pages.push(opened);
    await opened.page.goto(path);
    return opened;
  };
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Expect that axe finds nothing that keeps anybody out. */
export async function expectAccessible(page: Page, name = "the page"): Promise<void> {
  await page.evaluate(axe);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)")) as Violation[];
  expect(found.map((each) => `${each.id}: ${each.nodes[0]!.html.slice(0, 200)} ${each.nodes[0]!.failureSummary?.slice(0, 200) ?? ""}`), name).toEqual([]);
}
