/** What a user brings along: files that are dropped in, asked, opened at the quote, and asked on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Size, SIZES, expectAccessible, visitor } from "./browser";
import { Service } from "./service";

const LOCK = "# The lock of Sket\n\nThe lock of Sket was dug by Bram Holt in 1802. It lifts a boat by four metres.\n\nIts keeper lives in the red house.\n";
const visit = visitor();
let service: Service;

beforeAll(async () => {
  service = new Service();
  await service.start();
});
afterAll(() => service?.remove());

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  it("files are uploaded, each says what became of it, and one is opened at the quote (R2.5)", { tags: ["main"] }, async () => {
    const { page } = await visit(service.url, "/folders", size);
    await page.getByLabel("Name").fill(`Locks on a ${size}`);
    await page.getByRole("button", { name: "Create" }).click();
    const folder = page.locator("[data-folder]", { hasText: `Locks on a ${size}` });
    await folder.getByText("No documents yet.").waitFor();
    await folder.locator("input[type=file]").setInputFiles([
      { name: "lock of Sket.md", mimeType: "text/markdown", buffer: Buffer.from(LOCK) },
      { name: "torn.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 and no more") },
      { name: "noise.txt", mimeType: "text/plain", buffer: Buffer.from([...Array(2048).keys()].map((at) => at % 256)) },
    ]);
    await folder.getByRole("alert").getByText(/noise\.txt/).waitFor();
    expect(await folder.getByRole("button", { name: "Choose files" }).count()).toBe(1);
    await folder.getByText(/^broken/).waitFor();
    await expectAccessible(page);
    await folder.getByRole("link", { name: "Ask only this" }).click();
    await page.getByLabel("Your question").fill("Who dug the lock of Sket?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("[data-cite]").first().click();
    const card = page.getByRole("dialog");
    const quote = (await card.locator("[data-quote]").innerText()).trim();
    await card.getByRole("link", { name: "Open at the quote" }).click();
    const marked = page.locator("mark[data-selected=true]");
    await marked.first().waitFor();
    expect((await marked.allInnerTexts()).join("")).toBe(quote);
    expect(await marked.first().evaluate((mark) => { const { top, bottom } = mark.getBoundingClientRect(); return top >= 0 && bottom <= window.innerHeight; })).toBe(true);
    expect(await page.locator("[data-document]").innerText()).toContain("red house");
    await expectAccessible(page);
    await page.reload();
    await marked.first().waitFor();
    await page.getByRole("link", { name: "Report", exact: true }).click();
    await card.waitFor();
  });

  it("files that are dropped in are read, whatever they are called", async () => {
    const { page } = await visit(service.url, "/folders", size);
    const name = `Kilns on a ${size}`;
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    const folder = page.locator("[data-folder]", { hasText: name });
    const hostile = "<img src=x onerror=alert(1)>.md";
    const dropped = await page.evaluateHandle(
      ({ hostile, words }) => {
        const files = new DataTransfer();
        files.items.add(new File([words], hostile, { type: "text/markdown" }));
        return files;
      },
      { hostile, words: "# The kiln of Sket\n\nThe kiln of Sket was fired by Una Marsh in 1761.\n" },
    );
    await folder.getByText("Drop files here").dispatchEvent("drop", { dataTransfer: dropped });
    await folder.getByText(/^1 file · \d+ passage/).waitFor();
    // The service writes down what no file system minds.
    await folder.getByText(/img src=x onerror=alert\(1\).*\.md/).first().waitFor();
    await folder.getByRole("link", { name: "Ask only this" }).click();
    await page.getByLabel("Your question").fill("Who fired the kiln of Sket?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("[data-cite]").first().waitFor();
    expect(await page.locator(".answer").innerText()).toContain("Una Marsh");
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("a question in the chat is followed by another that builds on it (R3.7)", async () => {
    const { page } = await visit(service.url, "/chat", size);
    const composer = page.getByRole("textbox", { name: "Ask or follow up" });
    const ready = () => composer.evaluate((box) => box === document.activeElement);
    await composer.waitFor();
    // Who has keys types at once; where fingers type, a keyboard would cover half of the screen.
    if (size === "desktop") await expect.poll(ready).toBe(true);
    else expect(await ready()).toBe(false);
    await composer.fill("Why does a run never exceed its time limit?");
    await composer.press("Enter");
    await page.waitForURL(/\/chat\?id=/);
    await expect.poll(ready).toBe(true);
    await page.locator("[data-cite]").first().waitFor();
    const first = await page.locator(".answer").first().innerText();
    await composer.fill("And what happens then?");
    await composer.press("Enter");
    await expect.poll(() => page.getByRole("article", { name: "Quaere" }).count()).toBe(2);
    const reply = page.getByRole("article", { name: "Quaere" }).last();
    await reply.getByText(/^Read as:/).waitFor();
    await reply.locator(".answer").waitFor();
    const [top, box] = await Promise.all([reply, composer].map((each) => each.evaluate((shown) => shown.getBoundingClientRect().top)));
    expect(box! - top!, "an answer has room above the box for the next question").toBeGreaterThan(300);
    await page.reload();
    await expect.poll(() => page.getByRole("article", { name: "Quaere" }).count()).toBe(2);
    await expect.poll(() => page.locator(".answer").first().innerText()).toBe(first);
    await expectAccessible(page);
  });

  it("a question that is asked again is asked as it was before", async () => {
    const { page } = await visit(service.url, "/?folder=docs", size);
    await page.getByLabel("Your question").fill(`Why does a run never exceed its time limit, on a ${size}?`);
    await page.getByText("Deep", { exact: true }).click();
    await page.getByLabel("What is the answer for?").fill("a talk");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByRole("link", { name: "Ask again" }).first().click();
    await page.getByRole("button", { name: "docs", pressed: true }).waitFor();
    expect(await page.getByLabel("What is the answer for?").inputValue()).toBe("a talk");
    expect(await page.getByRole("radio", { name: "Deep" }).isChecked()).toBe(true);
  });

  it("who wants answers of the chat researched goes on to until that is switched off", async () => {
    const { page } = await visit(service.url, "/chat", size);
    const composer = page.getByRole("textbox", { name: "Ask or follow up" });
    const research = page.getByRole("button", { name: "Research", pressed: true });
    await page.getByRole("button", { name: "Research" }).click();
    await research.waitFor();
    await composer.fill("Why does a run never exceed its time limit?");
    await composer.press("Enter");
    await page.waitForURL(/\/chat\?id=/);
    await page.locator("[data-cite]").first().waitFor();
    await research.waitFor();
    await research.click();
    await research.waitFor({ state: "detached" });
  });

  it("a conversation is renamed by keys alone, and is gone where it was deleted elsewhere", async () => {
    const { page, context } = await visit(service.url, "/chat", size);
    const composer = page.getByRole("textbox", { name: "Ask or follow up" });
    await composer.fill("Why does a run never exceed its time limit?");
    await composer.press("Enter");
    await page.waitForURL(/\/chat\?id=/);
    const pencil = page.getByRole("button", { name: "Rename" });
    await pencil.press("Enter");
    const field = page.getByRole("textbox", { name: "Rename" });
    await field.fill("thrown away");
    await field.press("Escape");
    await expect.poll(() => pencil.evaluate((button) => button === document.activeElement)).toBe(true);
    await pencil.press("Enter");
    await expectAccessible(page);
    await field.fill(`Time limits, on a ${size}`);
    await field.press("Enter");
    await page.getByRole("heading", { name: `Time limits, on a ${size}` }).waitFor();
    expect(await page.getByRole("link", { name: `Time limits, on a ${size}` }).count()).toBe(size === "desktop" ? 1 : 0);
    await page.reload();
    await page.getByRole("heading", { name: `Time limits, on a ${size}` }).waitFor();

    const elsewhere = await context.newPage();
    await elsewhere.goto(page.url());
    elsewhere.once("dialog", (sure) => void sure.accept());
    await elsewhere.getByRole("button", { name: "Delete" }).click();
    await elsewhere.waitForURL(/\/chat$/);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("a second window on a conversation shows what is asked in the first", async () => {
    const { page, context } = await visit(service.url, "/chat", size);
    const composer = page.getByRole("textbox", { name: "Ask or follow up" });
    await composer.fill("Why does a run never exceed its time limit?");
    await composer.press("Enter");
    await page.waitForURL(/\/chat\?id=/);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.locator("[data-cite]").first().waitFor();
    await composer.fill("Thanks!");
    await composer.press("Enter");
    await second.getByText("Nothing is asked, so nothing was searched for.").waitFor();
  });

  it("a question is made to recur, is refused where its times are not known, and is removed", async () => {
    const { page } = await visit(service.url, "/settings", size);
    const question = `Who dug the lock of Sket, on a ${size}?`;
    await page.getByLabel("Question", { exact: true }).fill(question);
    await page.getByLabel("When", { exact: true }).fill("now and then");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText(/every day 8:00/).waitFor();
    await page.getByLabel("When", { exact: true }).fill("every monday 8:00");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.locator("[data-schedule]", { hasText: question });
    await row.getByText(/every monday 8:00/).waitFor();
    await row.getByText(/next/).waitFor();
    expect(await page.getByLabel("Question", { exact: true }).inputValue()).toBe("");
    await expectAccessible(page);
    page.once("dialog", (sure) => void sure.accept());
    await row.getByRole("button", { name: /^Remove/ }).click();
    await row.waitFor({ state: "detached" });
  });
});
