/** What went wrong, said once however many searches or pages it befell. */
import type { RunWarning } from "@/log/events";

export interface Told {
  message: string;
  /** What it befell, such as queries or addresses, in the order in which it did. */
  subjects: string[];
}

/** Return `warnings` by what they say, in the order in which each was said first. */
export function byMessage(warnings: readonly RunWarning[]): Told[] {
  const told = new Map<string, Told>();
  for (const { kind, message, subject } of warnings) {
    const key = `${kind}\n${message}`;
    const known = told.get(key) ?? told.set(key, { message, subjects: [] }).get(key)!;
    if (subject) known.subjects.push(subject);
  }
  return [...told.values()];
}
