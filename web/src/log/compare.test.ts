import { expect, it } from "vitest";
import { logOf } from "@/testing/logs";
import { pairClaims } from "./compare";
import type { Report } from "./events";
import { reduceAll } from "./reduce";

const report = (name: string): Report => reduceAll(logOf(name)).report!;

it("finds nothing but the same where a report meets itself", () => {
  const one = report("conflict");
  expect(pairClaims(one, one).map((pair) => pair.change)).toEqual(one.sentences.map(() => "same"));
});

it("tells what is gone and new where nothing is shared", () => {
  const changes = pairClaims(report("conflict"), report("web")).map((pair) => pair.change);
  expect(new Set(changes)).toEqual(new Set(["gone", "added"]));
});

it("tells another verdict, and other words over the same quote", () => {
  const one = report("conflict");
  const [first, ...rest] = one.sentences;
  const doubted = { ...one, sentences: [{ ...first!, support: "contradicted" as const }, ...rest] };
  expect(pairClaims(one, doubted)[0]!.change).toBe("verdict");
  const said = { ...one, sentences: [{ ...first!, text: "Said quite another way." }, ...rest] };
  expect(pairClaims(one, said)[0]!.change).toBe("reworded");
});
