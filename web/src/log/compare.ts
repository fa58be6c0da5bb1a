/** What two reports say alike and what differently, claim by claim. */
import type { Report, Sentence } from "./events";

export type ClaimChange = "same" | "verdict" | "reworded" | "gone" | "added";

export interface ClaimPair {
  change: ClaimChange;
  first: Sentence | null;
  second: Sentence | null;
}

/** Share of common words from which two claims on other evidence count as one that was reworded. */
const ALIKE = 0.6;

/** Return the claims of both reports: those of the first in their order, then those that are new. */
export function pairClaims(first: Report, second: Report): ClaimPair[] {
  const left = new Set(claimsOf(second));
  const take = (fits: (sentence: Sentence) => boolean) => {
    const found = [...left].find(fits);
    if (found) left.delete(found);
    return found;
  };
  const claims = claimsOf(first);
  const matched = new Map<Sentence, Sentence>();
  // The surest matches first, so that no claim is taken from the one that it is.
  const rules: ((one: Sentence, other: Sentence) => boolean)[] = [
    (one, other) => one.text === other.text,
    (one, other) => sharesQuote(one, other),
    (one, other) => likeness(one.text, other.text) >= ALIKE,
  ];
  for (const rule of rules) {
    for (const claim of claims) {
      const other = matched.has(claim) ? undefined : take((each) => rule(claim, each));
      if (other) matched.set(claim, other);
    }
  }
  return [
    ...claims.map((claim): ClaimPair => {
      const other = matched.get(claim) ?? null;
      return { change: other ? changeOf(claim, other) : "gone", first: claim, second: other };
    }),
    ...[...left].map((claim): ClaimPair => ({ change: "added", first: null, second: claim })),
  ];
}

function claimsOf(report: Report): Sentence[] {
  return report.sentences.filter((sentence) => sentence.support !== "not_a_claim");
}

function changeOf(one: Sentence, other: Sentence): ClaimChange {
  if (one.support !== other.support) return "verdict";
  return one.text === other.text ? "same" : "reworded";
}

function sharesQuote(one: Sentence, other: Sentence): boolean {
  return one.quotes.some((quote) =>
    other.quotes.some((each) => each.passage === quote.passage && each.start < quote.end && quote.start < each.end),
  );
}

/** Return the share of words that two texts have in common, by Jaccard. */
function likeness(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const both = [...a!].filter((word) => b!.has(word)).length;
  return both / Math.max(1, a!.size + b!.size - both);
}
