// Signs in to the page of a running service, asks, and sees an answer with its marks and a citation card.
//
//     node deploy/try_page.mjs http://127.0.0.1:8000 KEY "question" picture.png
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("playwright-core");
const [url, key, question, picture] = process.argv.slice(2);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 } });
  page.setDefaultTimeout(60_000);
  const elsewhere = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) elsewhere.push(request.url());
  });
  await page.goto(url);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Your question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.waitForURL(/\/runs\/.+/);
  await page.getByText("Answered", { exact: true }).waitFor();
  const answer = await page.locator(".answer").innerText();
  await page.locator("[data-cite]").first().hover();
  await page.getByRole("dialog").locator("[data-quote]").waitFor();
  await page.screenshot({ path: picture });
  if (elsewhere.length > 0) throw new Error(`the page asks ${elsewhere[0]}`);
  console.log(answer.split("\n", 1)[0]);
} finally {
  await browser.close();
}
