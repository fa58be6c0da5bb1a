import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { reduceAll } from "@/log/reduce";
import type { Report } from "@/log/events";
import { de } from "@/i18n/de";
import { en } from "@/i18n/en";
import { logOf } from "@/testing/logs";
import { shown } from "@/testing/shown";
import { asMarkdown, plainLine, withSources } from "./answer";
import { Nearest } from "./Nearest";

const PLACES: Report["nearest"] = [
  {
    title: "The mill",
    heading: "Repairs › Wheel",
    url: "folder:notes/mill.md",
    location: "folder:notes/mill.md, lines 3-9",
    locator: "lines 3-9",
    line: { passage: "p1", text: "- The wheel was repaired [3].", start: 40, end: 69 },
  },
];
const report = (): Report => ({ ...reduceAll(logOf("no_evidence")).report!, nearest: PLACES });

describe("places to look", () => {
  it("are told as no answer, with heading, place and line, and open the document", async () => {
    await shown(<Nearest places={PLACES} runId="r" />);
    const section = screen.getByRole("region", { name: "Where to look" });
    expect(section.textContent).toContain("None of this answers the question");
    expect(section.textContent).toContain("Repairs › Wheel");
    expect(section.textContent).toContain("mill.md, lines 3-9");
    expect(section.textContent).toContain("The wheel was repaired (3).");
    expect(section.textContent).not.toContain("- The wheel");
    expect(within(section).getByRole("link", { name: "The mill" }).getAttribute("href")).toContain("/folders/notes/files/mill.md");
    expect(section.querySelector("blockquote, mark, [data-quote]")).toBeNull();
  });

  it("lead whoever only has a link to the report to no document", async () => {
    await shown(<Nearest places={PLACES} />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.getByText("The mill")).toBeTruthy();
  });

  it("are left out of a report without any, and of one from before there were any", async () => {
    const older = JSON.parse("{}") as Pick<Report, "nearest">;
    const { container } = await shown(<><Nearest places={[]} /><Nearest places={older.nearest} /></>);
    expect(container.textContent).toBe("");
  });

  it("are copied with the answer, under words that say what they are", () => {
    const last = "Where to look. None of this answers the question; it comes nearest to it.\n\n- The mill, Repairs › Wheel (folder:notes/mill.md, lines 3-9): The wheel was repaired (3).";
    expect(withSources(report(), en.report).endsWith(last)).toBe(true);
    expect(asMarkdown(report(), en.report).endsWith(last)).toBe(true);
    expect(asMarkdown(reduceAll(logOf("folder")).report!, en.report)).not.toContain("Where to look");
  });

  it("are copied under the words of the page's language", () => {
    expect(withSources(report(), de.report)).toContain("\n\nWo man nachsehen kann. Nichts davon beantwortet");
    expect(asMarkdown(reduceAll(logOf("folder")).report!, de.report)).toContain("\n\n## Quellen\n\n");
  });

  it("show a row of a table without its bars", () => {
    expect(plainLine("| Sunday | 10:00 |")).toBe("Sunday · 10:00");
  });
});
