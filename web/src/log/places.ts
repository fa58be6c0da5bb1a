/** Tells where in a source something is, as reports have it in English, in the language of the page. */
import type { Retold } from "./reasons";

const NOUN = "(?:page|slide|cell|line|row|record|item|message)s?";
const PLACE = new RegExp(`(?<=^|\\s)(${NOUN}) (\\d[\\d–-]*)(?=$|, ${NOUN} \\d| to ${NOUN} \\d)`, "g");

/** Return `locator`, such as "lines 3-9", as the page has it; what it does not know stays as it is. */
export function placed(locator: string, told: Retold): string {
  return locator.replace(PLACE, (whole, noun: string, at: string) => told[noun]?.replace("{at}", at) ?? whole);
}
