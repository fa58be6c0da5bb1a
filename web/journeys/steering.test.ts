/** A run that still searches: watched, stopped, and gone on with by a service that was started again. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Size, SIZES, expectAccessible, expectSteady, visitor } from "./browser";
import { HOSTILE, SearchEngine } from "./engine";
import { Service } from "./service";

const engine = new SearchEngine();
const visit = visitor();
let service: Service;

beforeAll(async () => {
  await engine.start();
  service = new Service({ ...engine.settings, QUAERE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}` });
  await service.start();
});
afterEach(() => engine.release());
afterAll(async () => {
  await service?.remove();
  await engine.stop();
});

let asked = 0;

/** Ask the search engine, which does not answer yet, what was not asked before: that would be kept. */
async function searching(size: Size): Promise<Page> {
  engine.hold();
  asked += 1;
  const { page } = await visit(service.url, "/", size, { beside: engine.settings.SEARXNG_BASE_URL! });
  await page.getByLabel("Your question").fill(`Who built the tide mill of Carrow in the bay number ${asked}?`);
  await page.getByText("Options").click();
  await page.getByRole("button", { name: "searxng" }).click();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.locator('[data-phase=searching][aria-current="step"]').waitFor();
  return page;
}

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  it("the answer of a run that searched opens on the web at the quote", { tags: ["main"] }, async () => {
    const page = await searching(size);
    // Soon: a search that is held back for long has failed.
    engine.release();
    await page.locator("[data-cite]").first().waitFor();
    await expectSteady(page);
    await page.locator("[data-cite]").first().click();
    const address = await page.getByRole("link", { name: "Open at the quote" }).getAttribute("href");
    expect(address).toMatch(/\/(mill|storks)#:~:text=/);
    expect(decodeURIComponent(address!.split("text=")[1]!)).toMatch(/Ada Finch|tide mill/);
    // The browser goes there: the words stand far below the beginning of their page.
    const [source] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("link", { name: "Open at the quote" }).click()]);
    await source.getByText(/tide mill/).first().waitFor();
    await expect.poll(() => source.evaluate(() => window.scrollY)).toBeGreaterThan(2_000);
  });

  it("titles, quotes and addresses that are hostile stay text", async () => {
    const run = await service.ask(`Who fired the lime kiln of Orrell, asked on a ${size}?`, { providers: ["searxng"] });
    const { page } = await visit(service.url, `/runs/${run}`, size);
    const taken = async () => {
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.locator('[href^="javascript" i]').count()).toBe(0);
      expect(await page.locator("body").getAttribute("id")).toBe(null);
    };
    await page.locator("[data-cite]").first().click();
    const card = page.getByRole("dialog");
    expect(await card.locator("[data-quote]").innerText()).toContain(HOSTILE);
    expect(await card.innerText()).toMatch(/onerror=.* The lime kiln of Orrell/);
    await taken();
    await card.getByRole("link", { name: "Trace" }).click();
    await page.locator('[data-node^="page:"][data-lit=true]').first().waitFor();
    await taken();
  });

  it("a run that is reloaded while it searches goes on where it was", async () => {
    const page = await searching(size);
    const address = page.url();
    await page.reload();
    await page.locator('[data-phase=searching][aria-current="step"]').waitFor();
    expect(page.url()).toBe(address);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("tide mill");
    engine.release();
    await page.locator("[data-cite]").first().waitFor();
    expect(await page.locator(".answer").innerText()).toContain("Ada Finch");
  });

  it("a run that searches is cancelled, after a question whether that is meant", async () => {
    const page = await searching(size);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("The run was cancelled").waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
    await page.locator("[data-phases]").waitFor();
    expect(await page.locator("[data-phases] [aria-current]").count(), "a phase that goes on").toBe(0);
    expect(await page.getByText("Waiting for further answers").count()).toBe(0);
    engine.release();
  });

  it("a run that searches keeps nobody out, is stopped, and answers with what is there", { tags: ["main"] }, async () => {
    const page = await searching(size);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stop and answer now" }).click();
    // It does not wait for the search, which is still held back.
    await page.locator(".answer").waitFor();
    await page.getByText("It was asked to finish").waitFor();
  });

  it("it goes on after the service was stopped and started again", async () => {
    const page = await searching(size);
    const address = page.url();
    await service.stop();
    await page.locator("[data-link=offline]").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("tide mill");
    engine.release();
    await service.start();
    await page.locator("[data-cite]").first().waitFor();
    expect(page.url()).toBe(address);
    expect(await page.locator(".answer").innerText()).toContain("Ada Finch");
  });

  it("a webhook that was not told of a run is told again", async () => {
    const host = new URL(engine.settings.SEARXNG_BASE_URL!).hostname;
    engine.hears = false;
    await service.ask(`Who built the mill that a ${size} hears of?`, { providers: ["searxng"], webhook: `${engine.settings.SEARXNG_BASE_URL}/told` });
    const listed = async () => ((await (await fetch(`${service.url}/v1/webhooks`)).json()) as { webhooks: { error: string | null }[] }).webhooks;
    await expect.poll(async () => (await listed())[0]?.error, { timeout: 20_000 }).toContain("500");
    const { page } = await visit(service.url, "/settings", size);
    const before = await page.locator("[data-message=told]").count();
    const message = page.locator("[data-message=open]", { hasText: host }).first();
    await message.getByText(/500/).waitFor();
    await expectAccessible(page);
    engine.hears = true;
    await message.getByRole("button", { name: /^Send again/ }).click();
    await expect.poll(() => page.locator("[data-message=told]").count(), { timeout: 20_000 }).toBeGreaterThan(before);
  });
});
