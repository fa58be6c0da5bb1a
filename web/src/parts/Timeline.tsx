/** How a run goes: its phases, and for each line of inquiry what each loop asked and found. */
import { Fragment, memo, useState } from "react";
import { ChevronRight } from "lucide-react";
import { useText } from "@/i18n";
import type { Phase } from "@/log/events";
import { type RunView, type Search, type Verdict, isOver } from "@/log/view";

const SHOWN: Phase[] = ["indexing", "planning", "searching", "reading", "evaluating", "synthesizing", "verifying"];
const SHOWN_AS: Partial<Record<Phase, Phase>> = { iterating: "searching", finalizing: "verifying" };

/** The phases, with the one that the run is in, and its loop. */
export function Phases({ view }: { view: RunView }) {
  const text = useText();
  const now = view.phase && (SHOWN_AS[view.phase] ?? view.phase);
  const over = isOver(view);
  const seen = new Set(view.stays.map((stay) => SHOWN_AS[stay.phase] ?? stay.phase));
  if (view.indexing) seen.add("indexing");
  const phases = SHOWN.filter((phase) => phase !== "indexing" || view.indexing);
  // Sources are told of as they come, and counted when a phase begins.
  const found = Math.max(view.considered, view.sources.size);
  const line = view.phase && text.live.phaseLine(text.phases[view.phase], view.loop, view.maxLoops, found, view.read);
  return (
    <div>
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-1.5 text-[13px]" data-phases>
        {phases.map((phase, at) => {
          const current = phase === now && !over;
          return (
            <Fragment key={phase}>
              {at > 0 && <ChevronRight size={13} className="text-ink-3 rtl:rotate-180" aria-hidden />}
              <li
                data-phase={phase}
                aria-current={current ? "step" : undefined}
                className={
                  current
                    ? "inline-flex items-center gap-1.5 rounded-full bg-accent-soft px-2 py-0.5 font-medium text-accent"
                    : seen.has(phase) ? "px-0.5 text-ink-2" : "px-0.5 text-ink-3"
                }
              >
                {current && <span className="pulse size-1.5 rounded-full bg-accent" aria-hidden />}
                {text.phases[current && view.phase === "iterating" ? "iterating" : phase]}
              </li>
            </Fragment>
          );
        })}
      </ol>
      <p className="num mt-2 text-[13px] text-ink-3" data-loop>
        {view.loop > 0 && <>{text.live.loop(view.loop, view.maxLoops)} · </>}
        {text.live.found(found)} · {text.live.read(view.read)}
        {view.phase === "indexing" && view.indexing && <> · {text.live.indexing(view.indexing.done, view.indexing.total)}</>}
      </p>
      <p className="sr-only" role="status">{over ? "" : line}</p>
    </div>
  );
}

/** The lanes: one for the whole question, and one for each topic where several are researched. */
export const Timeline = memo(function Timeline({ view }: { view: RunView }) {
  const byTopic = new Map(["", ...view.topics].map((topic) => [topic, { searches: [] as Search[], verdicts: [] as Verdict[] }]));
  for (const search of view.searches) byTopic.get(search.topic)?.searches.push(search);
  for (const verdict of view.verdicts) byTopic.get(verdict.topic)?.verdicts.push(verdict);
  const lanes = [...byTopic].filter(([, { searches, verdicts }]) => searches.length > 0 || verdicts.length > 0);
  return (
    <div className="@container">
      <div className={lanes.length > 2 ? "grid gap-5 @2xl:grid-cols-2" : "space-y-6"}>
        {lanes.map(([topic, told]) => (
          <Lane key={topic} topic={topic} {...told} most={view.maxLoops} over={isOver(view)} searching={isSearching(view, topic)} named={lanes.length > 1} />
        ))}
      </div>
    </div>
  );
});

/** Return whether services are being asked for `topic`, of which some may have answered. */
function isSearching(view: RunView, topic: string): boolean {
  const stay = view.stays.findLast((each) => each.topic === topic);
  return !isOver(view) && stay !== undefined && !stay.endedAt && SEARCHING.has(stay.phase);
}

const SEARCHING: ReadonlySet<Phase> = new Set<Phase>(["searching", "iterating"]);

/** Loops of a lane that are drawn at once, the latest; few runs have more. */
const SHOWN_LOOPS = 8;

interface LaneProps {
  topic: string;
  searches: Search[];
  verdicts: Verdict[];
  most: number;
  over: boolean;
  searching: boolean;
  named: boolean;
}

function Lane({ topic, searches, verdicts, most, over, searching, named }: LaneProps) {
  const text = useText();
  const loops = new Map<number, { searches: Search[]; verdict: Verdict | undefined }>();
  const at = (loop: number) => loops.get(loop) ?? loops.set(loop, { searches: [], verdict: undefined }).get(loop)!;
  for (const search of searches) at(search.loop).searches.push(search);
  for (const verdict of verdicts) at(verdict.loop).verdict = verdict;
  const ordered = [...loops].sort(([one], [other]) => one - other);
  const [all, setAll] = useState(false);
  const folded = all ? 0 : Math.max(0, ordered.length - SHOWN_LOOPS);
  return (
    <section>
      {named && (
        <h2 className="mb-2 text-[14px] font-semibold" dir="auto">
          {topic || text.live.whole}
        </h2>
      )}
      {folded > 0 && (
        <button type="button" className="btn btn-quiet mb-1.5 text-[13px]" onClick={() => setAll(true)}>{text.live.earlier(folded)}</button>
      )}
      <ol className="space-y-1.5">
        {ordered.slice(folded).map(([loop, told]) => (
          <Loop key={loop} loop={loop} most={most} {...told} latest={!over && loop === ordered.at(-1)![0]} searching={searching && loop === ordered.at(-1)![0]} />
        ))}
      </ol>
    </section>
  );
}

interface LoopProps {
  loop: number;
  most: number;
  searches: Search[];
  verdict: Verdict | undefined;
  /** Whether it is the loop that goes on, which stands open. */
  latest: boolean;
  searching: boolean;
}

/** Return whether a loop is drawn as it was: what has been told of it only grows. */
function unchanged(before: LoopProps, now: LoopProps): boolean {
  return before.searches.length === now.searches.length && before.verdict === now.verdict && before.latest === now.latest && before.searching === now.searching && before.most === now.most;
}

const Loop = memo(function Loop({ loop, most, searches, verdict, latest, searching }: LoopProps) {
  const text = useText();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? latest;
  const fresh = searches.reduce((sum, search) => sum + search.fresh, 0);
  const byQuery = new Map<string, Search[]>();
  for (const search of searches) byQuery.set(search.query, [...(byQuery.get(search.query) ?? []), search]);
  const slowest = Math.max(0.001, ...searches.map((search) => search.seconds));
  return (
    <li className="card loop">
      <details open={open} onToggle={(event) => event.currentTarget.open !== open && setChosen(event.currentTarget.open)}>
        <summary className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5">
          <span className="font-medium">{text.live.loop(loop, most)}</span>
          <span className="num text-[13px] text-ink-2">{text.live.loopSummary(byQuery.size, fresh)}</span>
          {verdict && <span className="num text-[13px] text-ink-2">{text.live.covered(verdict.satisfied, verdict.items)}</span>}
        </summary>
        {open && (
          <ul className="space-y-2.5 px-4 pb-3">
            {[...byQuery].map(([query, answers]) => (
              <Asked key={query} query={query} answers={answers} slowest={slowest} />
            ))}
            {searching && <li className="flex items-center gap-2 text-[13px] text-ink-3"><span className="pulse size-1.5 rounded-full bg-accent" aria-hidden />{text.live.waitsOn}</li>}
          </ul>
        )}
        {verdict && (
          <p className="border-t border-line px-4 py-2.5 text-[13px] text-ink-2">
            {verdict.stopReason ? text.live.stops(text.report.stop[verdict.stopReason]) : text.live.goesOn}
            {verdict.reason && !verdict.stopReason ? `: ${verdict.reason}` : ""}
          </p>
        )}
      </details>
    </li>
  );
}, unchanged);

/** A query, with what each service that was asked has answered. */
function Asked({ query, answers, slowest }: { query: string; answers: Search[]; slowest: number }) {
  return (
    <li className="text-[14px]">
      <p className="break-words" dir="auto">{query}</p>
      <ul className="mt-1 space-y-0.5">
        {answers.map((search) => <AnswerRow key={search.seq} search={search} slowest={slowest} />)}
      </ul>
    </li>
  );
}

function AnswerRow({ search, slowest }: { search: Search; slowest: number }) {
  const text = useText();
  return (
    <li className="flex items-center gap-2 text-[13px] text-ink-3">
      <span className="h-1 w-16 shrink-0 overflow-hidden rounded-full bg-sunken" aria-hidden>
        <span className={`block h-full rounded-full ${search.error ? "bg-bad" : "bg-accent"}`} style={{ width: `${(100 * search.seconds) / slowest}%` }} />
      </span>
      <span>{search.provider}</span>
      {search.error ? <span className="min-w-0 text-bad">{search.error}</span> : <span className="num">{text.live.hits(search.hits, search.fresh)}</span>}
      {search.retries > 0 && <span>{text.live.retries(search.retries)}</span>}
      <span className="num ms-auto shrink-0">{text.common.seconds(search.seconds)}</span>
    </li>
  );
}
