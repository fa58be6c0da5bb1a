/** How long ago something was, as it is told beside other words. */
import { expect, it } from "vitest";
import { ago } from "./index";

const NOW = Date.parse("2026-05-04T12:00:00Z");
const before = (seconds: number) => ago(new Date(NOW - 1000 * seconds).toISOString(), "en", NOW);

it("tells what is just over as such, and only what comes as now", () => {
  expect(before(0)).toBe("1 second ago");
  expect(before(0.2)).toBe("1 second ago");
  expect(before(41)).toBe("41 seconds ago");
  expect(before(3 * 60)).toBe("3 minutes ago");
  expect(before(-5)).toBe("now");
  expect(before(-120)).toBe("in 2 minutes");
});
