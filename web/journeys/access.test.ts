import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Size, SIZES, expectAccessible, expectInSight, launchBlocking, visitor } from "./browser";
import { Service } from "./service";

const PLANNED = "How do budgets, jobs and traces work, and how do they depend on one another?";

const open = visitor();
let service: Service;

describe("where keys are asked for", () => {
  let key = "";

  beforeAll(async () => {
    service = new Service({ QUAERE_AUTH: "keys" });
    key = /qk_\S+/.exec(await service.command("keys", "create", "page"))![0];
    await service.start();
  });
  afterAll(() => service.remove());

  it.each(Object.keys(SIZES) as Size[])("a wrong key is refused and the right one lets in, on a %s", { tags: ["main"] }, async (size) => {
    const { page, context } = await open(service.url, "/runs", size);
    await page.getByLabel("API key").waitFor();
    await page.keyboard.type("qk_wrong");
    await page.keyboard.press("Enter");
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

  it("a browser that blocks cookies shows the page, and says why its user is not let in", async () => {
    const context = await launchBlocking();
    try {
      const page = context.pages()[0]!;
      await page.goto(service.url);
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText(/Allow cookies/).waitFor();
    } finally {
      await context.close();
    }
  });
});

describe("an administrator", () => {
  let key = "";

  beforeAll(async () => {
    service = new Service({ QUAERE_AUTH: "keys" });
    key = /qk_\S+/.exec(await service.command("keys", "create", "first", "--scope", "admin"))![0];
    await service.start();
  });
  afterAll(() => service.remove());

  it.each(Object.keys(SIZES) as Size[])("finds the administration, and makes keys that do what users do, on a %s", async (size) => {
    const { page } = await open(service.url, "/settings", size);
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(`for-${size}`);
    await page.getByRole("button", { name: "Create a key" }).click();
    const made = page.getByRole("listitem").filter({ hasText: `for-${size}` });
    await made.getByText("ask, read, check texts, manage folders", { exact: true }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Admin" }).click();
    await page.waitForURL(/\/admin$/);
    await page.goto("/settings");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A screen or a run" }).fill("Admin");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin$/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectInSight(page);
    await expectAccessible(page);
  });
});

describe("keys that have limits", () => {
  beforeAll(async () => {
    service = new Service({ QUAERE_AUTH: "keys" });
    await service.command("keys", "create", "first");
    await service.start();
  });
  afterAll(() => service.remove());

  const made = async (name: string, ...limits: string[]) => /qk_\S+/.exec(await service.command("keys", "create", name, ...limits))![0];
  const enter = async (size: Size, key: string) => {
    const { page } = await open(service.url, "/", size);
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    return page;
  };

  it.each(Object.keys(SIZES) as Size[])("say when the next question may be asked, and keep it, on a %s", async (size) => {
    const page = await enter(size, await made(`few-${size}`, "--user", size, "--runs-per-day", "1"));
    const ask = async (question: string) => {
      await page.getByLabel("Your question").fill(question);
      await page.getByRole("button", { name: "Ask", exact: true }).click();
    };
    await ask("Which search providers need no key?");
    await page.waitForURL(/\/runs\/.+/);
    await page.goto("/");
    await ask("What is a budget?");
    await page.getByRole("alert").getByText(/the most that this key allows\. Try again in \d+ (second|minute|hour)s?\./).waitFor();
    expect(await page.getByLabel("Your question").inputValue()).toBe("What is a budget?");
    await expectAccessible(page);
  });

  it.each(Object.keys(SIZES) as Size[])("let nobody in once they are revoked or have expired, on a %s", async (size) => {
    const key = await made(`gone-${size}`);
    const page = await enter(size, key);
    await page.getByLabel("Your question").waitFor();
    await service.command("keys", "revoke", key.slice(0, key.indexOf("_", 3)));
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByLabel("API key").waitFor();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/has expired or was revoked/).waitFor();
    const until = Date.now() + 8_000;
    const short = await made(`short-${size}`, "--expires", new Date(until).toISOString());
    await page.waitForTimeout(Math.max(0, until - Date.now()) + 500);
    await page.getByLabel("API key").fill(short);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/has expired or was revoked/).waitFor();
  });
});

describe("a key that expires while it is used", () => {
  beforeAll(async () => {
    service = new Service({ QUAERE_AUTH: "keys" });
    await service.command("keys", "create", "first");
    await service.start();
  });
  afterAll(() => service.remove());

  it.each(Object.keys(SIZES) as Size[])("asks for another, and keeps what was typed, on a %s", async (size) => {
    const made = async (...limits: string[]) => /qk_\S+/.exec(await service.command("keys", "create", size, ...limits))![0];
    const lasting = await made();
    const until = Date.now() + 20_000;
    const brief = await made("--expires", new Date(until).toISOString());
    const { page } = await open(service.url, "/", size);
    const enter = async (key: string) => {
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await enter(brief);
    await page.getByLabel("Your question").fill("What is a budget?");
    await page.waitForTimeout(Math.max(0, until - Date.now()) + 500);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByLabel("API key").waitFor();
    await enter(lasting);
    await expect.poll(() => page.getByLabel("Your question").inputValue()).toBe("What is a budget?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/runs\/.+/);
  });
});

describe("a session that ends while a run is watched", () => {
  beforeAll(() => {
    service = new Service({ QUAERE_AUTH: "keys", QUAERE_SECRET_KEY: "a".repeat(40) });
  });
  afterAll(() => service.remove());

  it("asks for the key, and leads back to the run", async () => {
    const key = /qk_\S+/.exec(await service.command("keys", "create", "first"))![0];
    await service.start();
    const { page } = await open(service.url, "/", "desktop");
    const enter = async () => {
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await enter();
    await page.getByLabel("Your question").fill(PLANNED);
    await page.getByText("Options").click();
    await page.getByLabel("Show me the plan first").check();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("[data-inquiry=topics]").waitFor();
    const address = page.url();
    await service.stop();
    // Ends all sessions at once.
    service.settings.QUAERE_SECRET_KEY = "b".repeat(40);
    await service.start();
    await enter();
    await page.locator("[data-inquiry=topics]").waitFor();
    expect(page.url()).toBe(address);
  });
});

describe("a run that waits for its plan to be approved", () => {
  beforeAll(async () => {
    service = new Service();
    await service.start();
  });
  afterAll(() => service.remove());

  const waiting = async (size: Size): Promise<Page> => {
    const { page } = await open(service.url, "/", size);
    await page.getByLabel("Your question").fill(PLANNED);
    await page.getByText("Options").click();
    await page.getByLabel("Show me the plan first").check();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("[data-inquiry=topics]").waitFor();
    return page;
  };

  it.each(Object.keys(SIZES) as Size[])("shows it in two tabs, is edited in one and answered in both, on a %s", async (size) => {
    const page = await waiting(size);
    await expectAccessible(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator("[data-inquiry=topics]").waitFor();
    await page.getByRole("button", { name: "Add a topic" }).click();
    await page.getByLabel("Topic 2").fill("How does a worker keep its lease?");
    await page.getByRole("button", { name: "Add a topic" }).click();
    await page.getByLabel("Topic 3").press("Tab");
    await page.keyboard.press("Enter");
    await page.getByLabel("Topic 3").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Add a topic");
    await page.getByRole("button", { name: "Go ahead" }).click();
    await page.locator(".answer").waitFor();
    await other.locator(".answer").waitFor();
    expect(await other.locator(".answer").innerText()).toBe(await page.locator(".answer").innerText());
  });

  it("is cancelled, and says so", async () => {
    const page = await waiting("desktop");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("The run was cancelled").waitFor();
  });

  it("is still there after the service was stopped and started again", async () => {
    const page = await waiting("phone");
    const before = await page.getByRole("heading", { level: 1 }).innerText();
    await service.stop();
    await page.locator("[data-link=offline]").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(before);
    await service.start();
    await page.locator("[data-link=live]").waitFor();
    await page.getByRole("button", { name: "Go ahead" }).click();
    await page.locator(".answer").waitFor();
  });
});
