/** Tells what the service says in English in the language of the page: reasons of verdicts, findings. */

/** What the page says by what a report does; what is in braces is taken over, and what begins with a comma ends others. */
export type Retold = Readonly<Record<string, string>>;

const JOINT = "; ";

/** Return the reasons for a verdict as the page has them; what it does not know stays as it is. */
export function retold(reasons: string, told: Retold): string {
  return reasons.split(JOINT).map((reason) => retoldOne(reason, told)).join(JOINT);
}

function retoldOne(reason: string, told: Retold): string {
  const known = told[reason];
  if (known) return known;
  const phrases = Object.entries(told);
  const ending = phrases.find(([phrase]) => phrase.startsWith(",") && reason.endsWith(phrase));
  if (ending) return retoldOne(reason.slice(0, -ending[0].length), told) + ending[1];
  for (const [phrase, own] of phrases) {
    const { groups } = (phrase.includes("{") && patternOf(phrase).exec(reason)) || {};
    if (groups) return own.replace(/\{(\w+)\}/g, (hole, name: string) => groups[name] ?? hole);
  }
  return reason;
}

function patternOf(phrase: string): RegExp {
  const parts = phrase.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? `(?<${part}>.+?)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("")}$`, "s");
}
