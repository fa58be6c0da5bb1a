import { describe, expect, it } from "vitest";
import { LOGS, logOf } from "@/testing/logs";
import { chainOf, litBy } from "./chain";
import { reduceAll } from "./reduce";

describe.each(LOGS)("the chain of %s", (name) => {
  const view = reduceAll(logOf(name));
  const chain = chainOf(view);

  it("leads from every claim with a quote to a page (R4.5)", () => {
    for (const node of chain.nodes.values()) {
      if (node.kind !== "claim" || node.sentence!.quotes.length === 0) continue;
      const kinds = new Set([...litBy(chain, node.id)].map((id) => id.split(":")[0]));
      expect(kinds, node.label).toContain("quote");
      expect(kinds, node.label).toContain("page");
    }
  });

  it("is lit alike from both ends", () => {
    for (const start of chain.nodes.keys()) {
      for (const other of litBy(chain, start)) expect(litBy(chain, other).has(start), `${start} ${other}`).toBe(true);
    }
  });
});

it("leads from a claim of a folder run to the query that found its page", () => {
  const chain = chainOf(reduceAll(logOf("folder")));
  const claim = [...chain.nodes.values()].find((node) => node.kind === "claim")!;
  expect([...litBy(chain, claim.id)].some((id) => id.startsWith("query:"))).toBe(true);
});
