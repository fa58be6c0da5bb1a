import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Opened, type Size, SIZES, expectAccessible, launch, open } from "./browser";
import { Service } from "./service";

const PLANNED = "How do budgets, jobs and traces work, and how do they depend on one another?";

let browser: Browser;
let service: Service;
let opened: Opened | null = null;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

afterEach(async () => {
  const { faults = [], context } = opened ?? {};
  opened = null;
  await context?.close();
  expect(faults).toEqual([]);
});

describe("where keys are asked for", () => {
  let key = "";

  beforeAll(async () => {
    service = new Service({ QUAERE_AUTH: "keys" });
    key = /qk_\S+/.exec(await service.command("keys", "create", "page"))![0];
    await service.start();
  });
  afterAll(() => service.remove());

  it.each(Object.keys(SIZES) as Size[])("a wrong key is refused and the right one lets in, on a %s", async (size) => {
    opened = await open(browser, service.url, size);
    const { page, context } = opened;
    await page.goto("/runs");
    await page.getByLabel("API key").fill("qk_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/not known/).waitFor();
    await expectAccessible(page);
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Nothing asked yet").waitFor();
    expect((await context.cookies()).every((cookie) => cookie.httpOnly && cookie.sameSite === "Strict")).toBe(true);
    expect(await page.evaluate(() => JSON.stringify([localStorage, document.cookie]))).not.toContain("qk_");
    await page.reload();
    await page.getByText("Nothing asked yet").waitFor();
    await page.goto("/settings");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
  });
});

describe("a run that waits for its plan to be approved", () => {
  beforeAll(async () => {
    service = new Service();
    await service.start();
  });
  afterAll(() => service.remove());

  const waiting = async (size: Size): Promise<Opened> => {
    opened = await open(browser, service.url, size);
    const { page } = opened;
    await page.goto("/");
    await page.getByLabel("Your question").fill(PLANNED);
    await page.getByText("Options").click();
    await page.getByLabel("Show me the plan first").check();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("[data-inquiry=topics]").waitFor();
    return opened;
  };

  it.each(Object.keys(SIZES) as Size[])("shows it in two tabs, is edited in one and answered in both, on a %s", async (size) => {
    const { page, context } = await waiting(size);
    await expectAccessible(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("[data-inquiry=topics]").waitFor();
    await page.getByRole("button", { name: "Add a topic" }).click();
    await page.getByLabel("Topic 2").fill("How does a worker keep its lease?");
    await page.getByRole("button", { name: "Go ahead" }).click();
    await page.locator(".answer").waitFor();
    await other.locator(".answer").waitFor();
    expect(await other.locator(".answer").innerText()).toBe(await page.locator(".answer").innerText());
  });

  it("is cancelled, and says so", async () => {
    const { page } = await waiting("desktop");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("The run was cancelled").waitFor();
  });

  it("is still there after the service was stopped and started again", async () => {
    const { page } = await waiting("phone");
    const before = await page.getByRole("heading", { level: 1 }).innerText();
    await service.stop();
    await page.locator("[data-link=offline]").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(before);
    await service.start();
    await page.locator("[data-link=live]").waitFor();
    await page.getByRole("button", { name: "Go ahead" }).click();
    await page.locator("[data-cite]").first().waitFor();
  });
});
