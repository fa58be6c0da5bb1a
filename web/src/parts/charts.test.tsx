/** What the charts draw, and say besides. */
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { dayIn } from "@/i18n";
import { Columns } from "./charts";

it("stacks what a column is made of, as high together as its value, and says each day in words", () => {
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const parts = [{ value: 3, tone: "text-good" }, { value: 1, tone: "text-bad" }];
  const rows = [
    { name: today, value: 4, shown: "3 quoted, 1 contradicted", parts },
    { name: yesterday, value: 2, shown: "2 quoted" },
  ];
  const { container, getByRole } = render(<Columns label="Verdicts" rows={rows} />);
  expect(getByRole("img").getAttribute("aria-label")).toContain(`${dayIn(today, "en")} 3 quoted, 1 contradicted`);
  expect(dayIn("2031-05-04", "de")).toBe("4. Mai");
  const height = (bar: Element) => Number(bar.getAttribute("height"));
  const columns = [...container.querySelectorAll("g")].map((column) => [...column.querySelectorAll("rect")]);
  expect(columns).toHaveLength(30);
  const [good, bad] = columns.at(-1)!;
  expect([good!.classList.value, bad!.classList.value]).toEqual(["text-good", "text-bad"]);
  expect(height(good!)).toBeCloseTo(3 * height(bad!));
  expect(Number(bad!.getAttribute("y")) + height(bad!)).toBeCloseTo(Number(good!.getAttribute("y")));
  expect(height(columns.at(-2)![0]!)).toBeCloseTo((height(good!) + height(bad!)) / 2);
});
