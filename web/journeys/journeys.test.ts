import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Size, SIZES, expectInSight, expectSteady, visitor } from "./browser";
import { Service } from "./service";

const QUESTION = "Why does a run never exceed its time limit?";
const LONGER = "How does Quaere keep a run within its budget, and what happens when the tokens run low?";
const NOWHERE = "What is the capital of Mongolia?";

const open = visitor();
let service: Service;
let answered: string;
let partly: string;
let unanswered: string;

beforeAll(async () => {
  service = new Service({ QUAERE_SHARING: "on" });
  await service.start();
  answered = await service.ask(QUESTION);
  partly = await service.ask(LONGER, { profile: "deep" });
  unanswered = await service.ask(NOWHERE);
}, 120_000);

afterAll(() => service?.remove());

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  const visit = async (path: string, options = {}) => (await open(service.url, path, size, options)).page;

  it("a question is asked, watched and answered, and stays after a reload", { tags: ["main"] }, async () => {
    const page = await visit("/");
    await page.getByLabel("Your question").fill(QUESTION);
    await page.getByText(/at most \d+ s/).waitFor();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/runs\/.+/);
    await page.locator("header").getByText("Answered", { exact: true }).waitFor();
    // Whoever hears the page is told, too, though nothing has the focus.
    await page.getByRole("status").getByText("Answered", { exact: true }).waitFor();
    const answer = await page.locator(".answer").innerText();
    expect(answer).toContain("A run never exceeds its time limit");
    await page.waitForLoadState("networkidle");
    await expectSteady(page);
    await page.reload();
    await page.locator(".answer").waitFor();
    await page.waitForLoadState("networkidle");
    await expectSteady(page);
    expect(await page.locator(".answer").innerText()).toBe(answer);
  });

  it("an address with a status that no run has lists all runs", async () => {
    const page = await visit("/runs?status=bogus");
    await page.locator(`[data-run="${answered}"]`).waitFor();
    await page.getByRole("button", { name: "All", pressed: true }).waitFor();
  });

  it("an example runs without a key", async () => {
    const page = await visit("/");
    await page.getByRole("button", { name: QUESTION }).click();
    await page.locator(".answer").waitFor();
  });

  it("a citation shows its exact quote, its verdict and its place, and closes by Escape", { tags: ["main"] }, async () => {
    const page = await visit(`/runs/${answered}`);
    const cite = page.locator("[data-cite]").first();
    if (size === "phone") await cite.tap();
    else await cite.hover();
    const card = page.getByRole("dialog");
    await card.waitFor();
    const report = (await (await fetch(`${service.url}/v1/runs/${answered}/report`)).json()) as { citations: { quote: { text: string } }[] };
    expect((await card.locator("[data-quote]").textContent())?.trim()).toBe(report.citations[0]!.quote.text);
    expect(await card.innerText()).toMatch(/supported|quoted/);
    expect(await card.innerText()).toContain("budgets.md");
    expect(await card.innerText()).not.toContain("file://");
    if (size === "desktop") await cite.click();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    // And by the keyboard alone, which is where it was before afterwards.
    await cite.focus();
    await page.keyboard.press("Enter");
    await card.waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate("document.activeElement.outerHTML.slice(0, 300)")).toContain("data-cite");
  });

  it("a mark opens the source of its sentence, and so does the sentence", async () => {
    const page = await visit(`/runs/${answered}`);
    const card = page.getByRole("dialog");
    for (const opener of [page.locator(".mark").first(), page.locator("[data-place] > span").first()]) {
      await opener.click();
      await card.locator("[data-quote]").waitFor();
      // What it is about stays in sight.
      const [sentence, over] = [(await page.locator("[data-place]").first().boundingBox())!, (await card.boundingBox())!];
      expect(over.y >= sentence.y + sentence.height || over.y + over.height <= sentence.y).toBe(true);
      await page.keyboard.press("Escape");
      await card.waitFor({ state: "hidden" });
    }
  });

  it("the keys lead from sentence to sentence and to the source", async () => {
    const page = await visit(`/runs/${partly}`);
    await page.locator("[data-cite]").first().waitFor();
    await page.keyboard.press("j");
    await page.locator('[data-place="1"][data-selected=true]').waitFor();
    await page.keyboard.press("j");
    await page.locator('[data-place="2"][data-selected=true]').waitFor();
    await page.keyboard.press("c");
    await page.getByRole("dialog").waitFor();
    expect(page.url()).toMatch(/s=2/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("a link to a source opens where its sentence is, and the list of runs is left and found where it was", { tags: ["main"] }, async () => {
    const page = await visit("/runs");
    await page.setViewportSize({ ...SIZES[size].viewport, height: 420 });
    await page.goto(`/runs/${partly}`);
    const last = await page.locator("[data-cite]").last().getAttribute("data-cite");
    const [s, c] = last!.split("-");
    await page.goto(`/runs/${partly}?s=${s}&c=${c}`);
    await page.getByRole("dialog").waitFor();
    await expect.poll(async () => (await page.locator(`[data-cite="${last}"]`).boundingBox())!.y).toBeLessThan(420);
    await page.goto("/runs");
    await page.locator(`[data-run="${answered}"]`).waitFor();
    await page.evaluate(() => window.scrollTo(0, 150));
    await page.locator(`[data-run="${answered}"] a`).first().click();
    await page.locator(".answer").waitFor();
    await page.goBack();
    await page.locator(`[data-run="${answered}"]`).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  });

  it("the trace lights up from the claim to the query, and back", { tags: ["main"] }, async () => {
    const page = await visit(`/runs/${answered}/trace`);
    await page.locator('[data-node^="claim:"]').first().click();
    for (const kind of ["claim", "quote", "page", "query"]) await page.locator(`[data-node^="${kind}:"][data-lit=true]`).first().waitFor();
    await page.locator('[data-node^="query:"][data-lit=true]').first().click();
    await page.locator('[data-node^="claim:"][data-lit=true]').waitFor();
    await page.reload();
    await page.locator('[data-node^="claim:"][data-lit=true]').waitFor();
    await page.getByRole("slider").fill("4");
    await page.getByText(/Event 4 of/).waitFor();
    expect(await page.locator('[data-node^="claim:"]').count()).toBe(0);
  });

  it("the answer is copied with its sources", async () => {
    const page = await visit(`/runs/${answered}`);
    await page.getByRole("button", { name: "Copy answer" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/time limit.*\[1\]/);
    expect(copied).toMatch(/\n\[1\] Budgets\. .*budgets\.md/);
  });

  it("what is missing can be asked from the gaps", async () => {
    const page = await visit(`/runs/${unanswered}`);
    await page.locator("header").getByText("Not answered").waitFor();
    await page.getByRole("tab", { name: /^Gaps \d+$/ }).click();
    // The whole question is open, which is asked again.
    await page.getByRole("tabpanel").getByRole("link", { name: "Ask again" }).click();
    await expect.poll(() => page.getByLabel("Your question").inputValue()).toContain("Mongolia");
  });

  it("a report is exported", { tags: ["main"] }, async () => {
    const page = await visit(`/runs/${answered}`);
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Markdown", exact: true }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    await page.getByRole("button", { name: "Export" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Markdown", exact: true }).waitFor({ state: "hidden" });
  });

  it("the list of exports opens and closes by its button, and goes with the focus", async () => {
    const page = await visit(`/runs/${answered}`);
    const menu = page.getByRole("button", { name: "Export" });
    const first = page.getByRole("link", { name: "Markdown", exact: true });
    await menu.click();
    await first.waitFor();
    await menu.click();
    await first.waitFor({ state: "hidden" });
    await menu.press("Enter");
    await page.keyboard.press("Tab");
    expect(await first.evaluate((link) => link === document.activeElement), "the first of the list").toBe(true);
    await page.getByRole("button", { name: "Print" }).focus();
    await page.keyboard.press("Tab");
    await first.waitFor({ state: "hidden" });
  });

  it("what gets the focus is not left behind the bar of a narrow window", async () => {
    const page = await visit("/runs");
    await page.setViewportSize({ width: 320, height: 256 });
    await page.getByRole("button", { name: /^More for/ }).first().waitFor();
    const hidden = () =>
      page.evaluate(() => {
        const focused = document.activeElement!;
        const { left, top, width, height } = focused.getBoundingClientRect();
        const shown = document.elementFromPoint(left + width / 2, top + height / 2);
        return focused.contains(shown) || shown?.contains(focused) ? "" : focused.outerHTML;
      });
    await page.getByLabel("Search your questions").focus();
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press("Tab");
      expect(await hidden()).toBe("");
    }
  });

  it("what lies over a report that is much enlarged is in sight", async () => {
    const page = await visit(`/runs/${answered}`);
    await page.setViewportSize({ width: 320, height: 256 }); // 1280 by 1024 at 400 %
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name: "Print" }).click({ trial: true });
    await page.keyboard.press("Escape");
    await page.locator("[data-cite]").first().click();
    const card = page.getByRole("dialog");
    await card.getByRole("button", { name: "Close" }).click({ trial: true });
    await card.getByRole("button", { name: "Copy with citation" }).click({ trial: true });
    await card.locator("[data-quote]").scrollIntoViewIfNeeded();
    await card.getByRole("button", { name: "Close" }).click();
    await card.waitFor({ state: "hidden" });
  });

  it("runs are found, pinned, tagged, compared and deleted", async () => {
    const gone = await service.ask("Which search providers need no key?");
    const page = await visit("/runs");
    const row = page.locator(`[data-run="${gone}"]`);
    await row.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("button", { name: "Pin", exact: true }).and(page.locator(":visible")).click();
    await row.getByText("Pinned").waitFor();
    await row.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("button", { name: "Tags", exact: true }).and(page.locator(":visible")).click();
    await page.getByRole("textbox", { name: "Tags" }).fill("first, second");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByRole("button", { name: "second" }).waitFor();
    await row.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).and(page.locator(":visible")).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill("Mongolia");
    await expect.poll(() => page.locator("[data-run]").count()).toBeGreaterThan(0);
    await expect.poll(async () => (await page.locator("[data-run]").allInnerTexts()).every((each) => each.includes("Mongolia"))).toBe(true);
  });

  it("two runs are compared by their claims", async () => {
    const page = await visit("/runs");
    await page.locator(`[data-run="${answered}"] input`).check();
    await page.locator(`[data-run="${partly}"] input`).check();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.locator("[data-change=gone]").waitFor();
    await page.locator("[data-change=added]").waitFor();
    await page.getByRole("heading", { name: "Figures" }).waitFor();
  });

  it("a text is checked against what it cites", async () => {
    const page = await visit("/check");
    await page.getByRole("button", { name: "Try a sample" }).click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator("[data-verdict]").first().waitFor();
    expect(await page.locator("[data-verdict]").count()).toBe(2);
    await page.reload();
    await page.locator("[data-verdict]").first().waitFor();
    await page.getByRole("button", { name: "Check another text" }).click();
    await page.reload();
    await expect.poll(() => page.getByLabel("Text to check").inputValue()).toContain("up to ninety models");
  });

  it("what cites nothing is looked up in the folders, unless that is not wanted", async () => {
    const page = await visit("/check");
    const check = async () => {
      await page.getByLabel("Text to check").fill("A run never exceeds its time limit.");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.locator("[data-verdict]").waitFor();
    };
    await check();
    await page.locator("[data-verdict] blockquote").getByText("A run never exceeds its time limit").waitFor();
    await page.getByText("found in a folder").waitFor();
    await page.getByRole("button", { name: "Check another text" }).click();
    await page.getByLabel("Look in the folders for what cites nothing").uncheck();
    await check();
    await page.getByText("It cites nothing, so nothing could be checked.").waitFor();
  });

  it("a file is checked in any format that is read, and one that has no text is said to have none", async () => {
    const page = await visit("/check");
    const choose = (name: string, buffer: Buffer) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer });
    await choose("paper.pdf", Buffer.from("%PDF-1.7 and more"));
    await page.getByRole("alert").getByText(/paper\.pdf is not a complete PDF/).waitFor();
    await choose("notes.html", Buffer.from('<!doctype html><p>A run may use up to ninety models, <a href="budgets.md">they say</a>.'));
    await page.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("A run may use up to ninety models, [they say](budgets.md).");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator("[data-verdict]").first().waitFor();
  });

  it("a shared report is read by whoever has the link", async () => {
    const page = await visit(`/runs/${partly}`);
    const lines = async () => (await page.locator(".answer").innerText()).split("\n");
    const report = await lines();
    await page.getByRole("button", { name: "Share" }).click();
    const link = page.getByRole("textbox", { name: "Share" });
    await link.waitFor();
    await page.goto(await link.inputValue());
    await page.locator("[data-cite]").first().waitFor();
    // It stands as it did, but for the notices among the sentences.
    expect(report).toEqual(expect.arrayContaining(await lines()));
  });

  it("a shared report says what stays open", async () => {
    const shared = await fetch(`${service.url}/v1/runs/${unanswered}/share`, { method: "POST" });
    const { url } = (await shared.json()) as { url: string };
    const page = await visit(`/shared/${url.split("/").at(-1)}`);
    await page.getByRole("heading", { name: "What stays open" }).waitFor();
    await page.getByRole("listitem").getByText(/Mongolia/).waitFor();
  });

  it("what is hostile stays text", async () => {
    const hostile = '<img src=x onerror="document.title=1"> [a](javascript:alert(1)) "quotes" & more';
    const run = await service.ask(hostile);
    const page = await visit(`/runs/${run}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("<img src=x");
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });

  it("a question may be long, and its answer is in sight all the same", async () => {
    const long = `${QUESTION} ${"It should say so for each step. ".repeat(620)}`.slice(0, 19_999);
    const page = await visit("/");
    await page.getByLabel("Your question").fill(long);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/runs\/.+/);
    await page.locator(".answer").waitFor();
    expect((await page.locator(".answer").boundingBox())!.y).toBeLessThan(850);
    await expectInSight(page);
    await page.getByRole("button", { name: "Show all of it" }).click();
    await expect.poll(async () => (await page.getByRole("heading", { level: 1 }).boundingBox())!.height).toBeGreaterThan(2_000);
  });

  it("a question that is too long is refused before it is sent", async () => {
    const page = await visit("/");
    await page.getByLabel("Your question").fill("x".repeat(20_001));
    await page.getByText(/may have at most/).waitFor();
    expect(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true);
  });

  it("without a connection what is there stays readable, and the page says so", async () => {
    const page = await visit(`/runs/${answered}`);
    await page.locator(".answer").waitFor();
    await page.context().setOffline(true);
    await page.getByText(/No connection/).waitFor();
    await page.locator("[data-cite]").first().click();
    await page.getByRole("dialog").waitFor();
    await page.context().setOffline(false);
    await page.getByText(/No connection/).waitFor({ state: "hidden" });
  });

  it("without a connection a part that was not shown yet takes nothing away, and comes when there is one again", async () => {
    const page = await visit(`/runs/${answered}`);
    await page.locator(".answer").waitFor();
    await page.context().setOffline(true);
    await page.getByText(/No connection/).waitFor();
    const [failed] = await Promise.all([page.waitForEvent("requestfailed", (request) => request.url().includes("KeyHelp")), page.keyboard.press("?")]);
    expect(failed.failure()?.errorText).toContain("DISCONNECTED");
    await page.waitForTimeout(500);
    await page.locator(".answer").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("dialog").waitFor();
  });

  it("a screen that cannot be fetched says that the service is gone, and is there when it is back", async () => {
    const page = await visit("/");
    await page.getByLabel("Your question").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByText("The service cannot be reached.").waitFor();
    expect(await page.getByRole("link", { name: "Runs" }).count(), "the way elsewhere").toBe(1);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });

  it("a run that is not there is said to be missing", async () => {
    const page = await visit("/runs/nothing-of-that-name");
    await page.getByText("There is nothing here").waitFor();
    expect(await page.title()).toBe("There is nothing here · Quaere");
  });

  it("speaks German, and reads Arabic from the right", async () => {
    const run = await service.ask("متى تأسس المرصد؟");
    const page = await visit(`/runs/${run}`, { locale: "de-DE" });
    await page.getByRole("tab", { name: /Quellen/ }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).getAttribute("dir")).toBe("rtl");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
  });
});
