import { expect, test } from "vitest";

import { choicesOf, formOf } from "./Ask";

const OPEN = { profile: null, folders: [], providers: [], planFirst: false, context: "", language: "" };

test("what is left open is left out", () => {
  expect(formOf("Who?", OPEN)).toEqual({ question: "Who?" });
});

test("folders that are chosen alone are searched alone", () => {
  expect(formOf("Who?", { ...OPEN, folders: ["notes"] })).toMatchObject({ folders: ["notes"], providers: ["folder"] });
});

test("services are asked beside the folders where both are chosen", () => {
  const both = { ...OPEN, folders: ["notes"], providers: ["arxiv"] };
  expect(formOf("Who?", both)).toMatchObject({ folders: ["notes"], providers: ["arxiv"] });
});

test.each([
  { profile: "deep", folders: ["notes"], context: "a book" },
  { folders: ["notes"], providers: ["arxiv"], language: "de" },
  { providers: ["wikipedia"], approve_plan: true, strategy: "supervisor" },
  {},
] as const)("a question that is asked again is asked of the same sources: %o", (chosen) => {
  const form = formOf("Who?", { ...OPEN, ...choicesOf(chosen as never) });
  expect(form).toMatchObject({ question: "Who?", ...chosen });
  expect(formOf("Who?", choicesOf(form))).toEqual(form);
});
