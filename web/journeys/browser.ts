/** Debian's Chromium, as a desktop and as a phone. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const SIZES = {
  desktop: { viewport: { width: 1280, height: 850 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Size = keyof typeof SIZES;

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** What must not be: requests to others, breaches of the policy, errors of scripts. */
  faults: string[];
}

export async function open(browser: Browser, url: string, size: Size, options: { dark?: boolean; locale?: string } = {}): Promise<Opened> {
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: url,
    locale: options.locale ?? "en-GB",
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) faults.push(`asks ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  return { page, context, faults };
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Expect that axe finds nothing that keeps anybody out. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)")) as Violation[];
  expect(found.map((each) => `${each.id}: ${each.nodes[0]!.html.slice(0, 200)} ${each.nodes[0]!.failureSummary?.slice(0, 200) ?? ""}`)).toEqual([]);
}
