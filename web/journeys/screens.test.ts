/** Each screen keeps nobody out: once by default, in all looks where QUAERE_WEB_FULL asks for them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "vitest";
import { type Options, type Size, expectAccessible, expectInSight, visitor } from "./browser";
import { type Stage, STAGES, drawn } from "./screens";

const FULL = Boolean(process.env.QUAERE_WEB_FULL);
/** A folder that takes a picture of every screen that is visited, to be looked at. */
const PICTURES = process.env.QUAERE_WEB_PICTURES;

interface Look {
  look: string;
  size?: Size;
  options?: Options;
  /** Whether it is looked at as it is printed. */
  paper?: boolean;
}

const LOOKS: Look[] = [
  { look: "in light" },
  ...(FULL
    ? ([
        { look: "in the dark", options: { dark: true } },
        { look: "on a phone", size: "phone" },
        { look: "on a phone in the dark", size: "phone", options: { dark: true } },
        { look: "in high contrast", options: { theme: "contrast" } },
        { look: "in high contrast in the dark", options: { theme: "contrast", dark: true } },
        { look: "in the colours of the system", options: { forced: true } },
        { look: "at twice the size", options: { zoom: 2 } },
        { look: "from right to left", options: { mirrored: true } },
        { look: "on paper", paper: true },
      ] as const)
    : []),
];
const visit = visitor();

describe.each(Object.entries(STAGES))("%s", (state, made) => {
  let stage: Stage | undefined;
  afterEach(() => stage?.close(), 120_000);

  it.each(LOOKS)("keeps nobody out $look", { tags: ["main"], timeout: 300_000 }, async ({ look, size = "desktop", options = {}, paper = false }) => {
    // Anew for each look: a run that searches does not do so for as long as all of them may take.
    stage = await made();
    const { page } = await visit(stage.service.url, "/", size, options);
    for (const screen of stage.screens) {
      await page.emulateMedia({ media: "screen" });
      await page.goto(screen.path);
      await drawn(page, screen).catch((error: Error) => {
        throw new Error(`${screen.name} is not drawn: ${error.message}`);
      });
      if (paper) await page.emulateMedia({ media: "print" });
      if (PICTURES) {
        const folder = join(PICTURES, look.replaceAll(" ", "-"));
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${state}-${screen.name.replaceAll(/\W+/g, "-")}.png`) });
      }
      await expectInSight(page, screen.name);
      await expectAccessible(page, screen.name);
    }
  });
});
