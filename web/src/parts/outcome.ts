/** What became of a run, in a word or two. */
import type { useText } from "@/i18n";
import type { Followed } from "@/log/feed";

/** Return whether somebody has stopped the run. */
export function isCancelled({ view, ended }: Pick<Followed, "view" | "ended">): boolean {
  return ended === "cancelled" || view.failure?.type === "run_cancelled";
}

/** Return what a run that is over has come to. */
export function outcomeOf(followed: Pick<Followed, "view" | "ended">, text: ReturnType<typeof useText>): string {
  const { view, ended } = followed;
  if (view.report) return text.report.status[view.report.status];
  if (isCancelled(followed)) return text.report.cancelled;
  return view.failure || ended === "failed" ? text.report.failed : text.report.interrupted;
}
