/** Every screen, in every state that it has, by name. */
import type { Page } from "playwright-core";
import { SearchEngine } from "./engine";
import { Service } from "./service";

export interface Screen {
  name: string;
  path: string;
  /** What is there once it is drawn. */
  shows: string;
}

const PLACES = ["/", "/runs", "/check", "/settings", "/folders", "/chat", "/admin"];
const heading = "h1";
const places = (state: string): Screen[] => PLACES.map((path) => ({ name: `${path}, ${state}`, path, shows: heading }));

/** A service with what its screens show. */
export interface Stage {
  service: Service;
  screens: Screen[];
  close: () => Promise<void>;
}

/** Nothing has been asked yet. */
export async function empty(): Promise<Stage> {
  const service = new Service();
  await service.start();
  const missing = { name: "a run that is not there", path: "/runs/none", shows: heading };
  return { service, screens: [...places("empty"), missing], close: () => service.remove() };
}

/** A run searches, and goes on searching. */
export async function live(): Promise<Stage> {
  const engine = new SearchEngine();
  await engine.start();
  engine.hold();
  const service = new Service(engine.settings);
  await service.start();
  const run = await service.begin("Who built the tide mill of Carrow?", { providers: ["searxng"] });
  const screens = [
    { name: "a run, live", path: `/runs/${run}`, shows: "[data-phase=searching][aria-current=step]" },
    { name: "its trace, live", path: `/runs/${run}/trace`, shows: "[data-column]" },
    { name: "/runs, live", path: "/runs", shows: "[data-run]" },
    { name: "/admin, live", path: "/admin", shows: heading },
  ];
  const close = async () => {
    engine.release();
    await service.remove();
    await engine.stop();
  };
  return { service, screens, close };
}

/** Runs have ended well. */
export async function done(): Promise<Stage> {
  const service = new Service({ QUAERE_SHARING: "on" });
  const recorded = await service.record();
  await service.start();
  const asked = await service.ask("Why does a run never exceed its time limit?");
  const nowhere = await service.ask("What is the capital of Mongolia?");
  const { doubtful, conflict, long, researchers, right_to_left: arabic, laid_out: laidOut } = recorded as Record<string, string>;
  const screens = [
    ...places("done"),
    { name: "a report with an open source in doubt", path: `/runs/${doubtful}?s=2&c=2`, shows: "[role=dialog] [data-doubt]" },
    { name: "a report of sources that differ", path: `/runs/${conflict}?tab=conflicts`, shows: "figure" },
    { name: "a report without an answer", path: `/runs/${nowhere}?tab=gaps`, shows: "[role=tabpanel] a" },
    { name: "a report in Arabic", path: `/runs/${arabic}`, shows: ".answer" },
    { name: "a report with a table, code and long names", path: `/runs/${laidOut}?tab=gaps`, shows: ".answer tr" },
    { name: "how a long run went", path: `/runs/${long}?tab=timeline`, shows: "[data-phases]" },
    { name: "what a run took", path: `/runs/${researchers}?tab=cost`, shows: "[role=tabpanel] table, [role=tabpanel] dl" },
    { name: "a trace", path: `/runs/${asked}/trace?node=claim:1`, shows: "[data-lit=true]" },
    { name: "raw events", path: `/runs/${asked}/trace?raw=true`, shows: "[data-column]" },
    { name: "a comparison of long names", path: `/runs/${laidOut}/diff/${long}`, shows: "[data-change]" },
    { name: "a comparison", path: `/runs/${asked}/diff/${long}`, shows: "[data-change]" },
    { name: "a document at its quote", path: `/folders/docs/files/budgets.md?run=${asked}&s=1`, shows: "mark[data-selected=true]" },
  ];
  return { service, screens, close: () => service.remove() };
}

/** Runs have ended badly. */
export async function failed(): Promise<Stage> {
  const service = new Service();
  const { failed, cancelled, cut_short: short, degraded } = (await service.record()) as Record<string, string>;
  await service.start();
  const screens = [
    { name: "a run that failed", path: `/runs/${failed}`, shows: "[data-phases]" },
    { name: "a run that was cancelled", path: `/runs/${cancelled}`, shows: "[data-phases]" },
    { name: "a report that was cut short", path: `/runs/${short}`, shows: ".answer" },
    { name: "a report of a weakened run", path: `/runs/${degraded}?tab=warnings`, shows: "[role=tabpanel] li" },
    { name: "the trace of a run that failed", path: `/runs/${failed}/trace`, shows: "[data-column]" },
    { name: "a comparison with a run that failed", path: `/runs/${failed}/diff/${short}`, shows: heading },
  ];
  return { service, screens, close: () => service.remove() };
}

export const STAGES = { empty, live, done, failed };

/** Wait until `screen` is drawn. */
export async function drawn(page: Page, screen: Screen): Promise<void> {
  await page.locator(screen.shows).first().waitFor();
  // A run that goes on keeps its connection; what else is asked for has come by then.
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
}
