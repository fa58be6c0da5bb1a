/** What is drawn of the sources of a run that goes on. */
import { act, fireEvent } from "@testing-library/react";
import { expect, it } from "vitest";
import { reduceAll } from "@/log/reduce";
import { logOf } from "@/testing/logs";
import { shown } from "@/testing/shown";
import { SourceList, drawnAt } from "./SourceList";

const view = reduceAll(logOf("long").slice(0, -1));
const drawn = (box: Element) => box.querySelectorAll("[data-source]").length;

/** Let the list be as tall as in a browser, and scrolled to `top`. */
function scrollTo(box: Element, top: number): void {
  Object.defineProperties(box, { scrollHeight: { value: 1_518, configurable: true }, clientHeight: { value: 384, configurable: true } });
  box.scrollTop = top;
  act(() => void fireEvent.scroll(box));
}

it("draws the newest, and earlier ones for whoever scrolls back to them", async () => {
  const titles = [...view.sources.values()].map((each) => each.title);
  expect(titles.length).toBeGreaterThan(20);
  const { container } = await shown(<SourceList sources={view.sources} runId="r" question="" />);
  const box = container.querySelector("[role=region]")!;
  expect(drawn(box)).toBe(10);
  expect(box.textContent).toContain(titles.at(-1));
  scrollTo(box, 0);
  expect(box.textContent).toContain(titles[0]);
  expect(drawn(box)).toBeLessThan(titles.length);
  scrollTo(box, 1_134);
  expect(drawn(box)).toBe(10);
});

it("leaves the room of those that are not drawn, to the pixel", () => {
  const heights = Array.from({ length: 500 }, (_, at) => 50 + (at % 7));
  const whole = heights.reduce((sum, each) => sum + each, 0);
  for (const top of [null, 0, 300, 5_000, 20_000, whole]) {
    const { from, to, before, behind } = drawnAt(heights, top);
    expect(before + heights.slice(from, to).reduce((sum, each) => sum + each, 0) + behind).toBe(whole);
    expect(to - from).toBeLessThan(45);
    // Whatever is in sight is drawn.
    if (top !== null) expect([before <= top, before + heights.slice(from, to).reduce((sum, each) => sum + each, 0) >= Math.min(whole, top + 384)]).toEqual([true, true]);
  }
});
