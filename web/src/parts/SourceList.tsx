/**
 * The sources of a run that goes on, of which only those in sight are drawn: a busy one finds
 * dozens a second.
 *
 * The newest stand last and in sight as long as nobody scrolls back. Those that are not drawn leave
 * their room behind, so that nothing moves but by being scrolled.
 */
import { type UIEvent, memo, useLayoutEffect, useRef, useState } from "react";
import { useText } from "@/i18n";
import type { RunView, Source } from "@/log/view";
import { SourceCard } from "./SourceCard";

/** Sources that are drawn while the newest are followed: few more than there is room for. */
const FOLLOWED = 10;
/** What is drawn beyond either edge, in pixels; whoever scrolls so far has the list drawn anew. */
const BEYOND_PX = 600;
/** How near to its end in pixels a list is still followed. */
const NEAR_PX = 80;
/** The height of a card that has not been drawn yet, in pixels: most have two lines. */
const CARD_PX = 66;
/** The list is at most so high, in pixels; the classes below say so, too. */
const ROOM_PX = 384;

/** Places from which and up to which is drawn, and the pixels that those before and behind take. */
export interface Drawn {
  from: number;
  to: number;
  before: number;
  behind: number;
}

/** Return what is drawn of rows of such `heights` by whoever has scrolled to `top`; null follows the last. */
export function drawnAt(heights: readonly number[], top: number | null): Drawn {
  const count = heights.length;
  const sum = (from: number, to: number) => heights.slice(from, to).reduce((all, each) => all + each, 0);
  if (top === null) {
    const from = Math.max(0, count - FOLLOWED);
    return { from, to: count, before: sum(0, from), behind: 0 };
  }
  let [from, before] = [0, 0];
  while (from < count && before + heights[from]! < top - BEYOND_PX) before += heights[from++]!;
  let [to, until] = [from, before];
  while (to < count && until < top + ROOM_PX + BEYOND_PX) until += heights[to++]!;
  return { from, to, before, behind: sum(to, count) };
}

interface SourceListProps {
  sources: RunView["sources"];
  runId: string;
  question: string;
}

export const SourceList = memo(function SourceList({ sources, runId, question }: SourceListProps) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const known = useRef(new Map<string, number>());
  const [top, setTop] = useState<number | null>(null);
  const all = [...sources.values()];
  const { from, to, before, behind } = drawnAt(all.map((each) => known.current.get(each.key) ?? CARD_PX), top);
  const drawn = all.slice(from, to);
  useLayoutEffect(() => {
    const list = box.current!;
    measure(list, drawn, known.current);
    if (top === null) list.scrollTop = list.scrollHeight;
  });
  const look = (event: UIEvent<HTMLDivElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
    const follows = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    setTop(follows ? null : scrolledFar(top, scrollTop) ? scrollTop : top);
  };
  return (
    <section>
      <h2 id="sources" className="eyebrow mb-1">{text.live.sources} <span className="num font-normal">{sources.size || ""}</span></h2>
      <div ref={box} role="region" aria-labelledby="sources" tabIndex={0} onScroll={look} className="h-64 overflow-y-auto border-y border-line contain-strict lg:h-96 [&>article]:border-b [&>article]:border-line">
        {all.length === 0 && <p className="py-3 text-[14px] text-ink-3">{text.live.noSources}</p>}
        <div style={{ height: before }} />
        {drawn.map((source) => <SourceCard key={source.key} source={source} run={runId} question={question} />)}
        <div style={{ height: behind }} />
      </div>
    </section>
  );
});

/** Take down how high the cards are that were drawn. */
function measure(list: HTMLElement, drawn: readonly Source[], heights: Map<string, number>): void {
  const cards = list.querySelectorAll("[data-source]");
  drawn.forEach(({ key }, at) => {
    const { height } = cards[at]!.getBoundingClientRect();
    if (height > 0) heights.set(key, height);
  });
}

/** Return whether what was drawn for `before` no longer reaches as far as it should. */
function scrolledFar(before: number | null, now: number): boolean {
  return before === null || Math.abs(now - before) > BEYOND_PX / 2;
}
