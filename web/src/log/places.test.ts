import { expect, it } from "vitest";
import { de } from "@/i18n/de";
import { en } from "@/i18n/en";
import { placed } from "./places";

it.each([
  ["lines 1-19", "Zeilen 1-19"],
  ["page 3", "Seite 3"],
  ["Budget rows 2-5", "Budget Tabellenzeilen 2-5"],
  ["page 3, line 7", "Seite 3, Zeile 7"],
  ["online 3", "online 3"],
  ["chapter 2", "chapter 2"],
  ["", ""],
])("tells where in a source something is in the language of the page: %s", (locator, told) => {
  expect(placed(locator, de.places)).toBe(told);
  expect(placed(locator, en.places)).toBe(locator);
});
