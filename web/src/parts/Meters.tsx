/** What a run has used of its budget. */
import { briefly, dollars, useText } from "@/i18n";
import { type RunView, isOver, spentTokens, spentUsd } from "@/log/view";
import { useNow } from "./hooks";

export function Meters({ view }: { view: RunView }) {
  const text = useText();
  const now = useNow(!isOver(view) && view.status !== "asking");
  const { budget } = view;
  if (!budget) return null;
  const begun = view.startedAt ? new Date(view.startedAt).getTime() : now;
  const last = isOver(view) || view.status === "asking" ? new Date(view.lastAt).getTime() : now;
  const usd = spentUsd(view);
  const meters = [
    { name: text.live.time, used: Math.max(0, (last - begun) / 1000 - view.waited), most: budget.max_execution_time_s, shown: (s: number) => text.common.seconds(s) },
    { name: text.live.queries, used: budget.max_queries - (view.remaining?.queries ?? budget.max_queries), most: budget.max_queries },
    { name: text.live.pages, used: budget.max_reads - (view.remaining?.reads ?? budget.max_reads), most: budget.max_reads },
    { name: text.live.tokens, used: spentTokens(view), most: budget.token_budget },
    ...(usd > 0 || budget.max_cost_usd
      ? [{ name: text.live.cost, used: usd, most: budget.max_cost_usd ?? 0, shown: (sum: number) => dollars(sum, text.code) }]
      : []),
  ];
  return (
    <ul className="grid grid-cols-2 gap-x-5 gap-y-3 sm:grid-cols-1">
      {meters.map(({ name, used, most, shown = (value: number) => briefly(value, text.code) }) => (
        <li key={name}>
          <div className="flex justify-between gap-2 text-[13px]">
            <span className="text-ink-2">{name}</span>
            <span className="num text-ink-3">{most ? text.common.of(shown(used), shown(most)) : shown(used)}</span>
          </div>
          <div className="mt-1 h-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
            <div className="h-full rounded-full bg-accent" style={{ width: `${most ? Math.min(100, (100 * used) / most) : 0}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
