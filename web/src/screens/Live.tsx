/** A run while it goes on. */
import { Suspense, useDeferredValue, useEffect, useState } from "react";
import { CircleStop } from "lucide-react";
import { useRunActions } from "@/api/queries";
import { directionOf, useText } from "@/i18n";
import type { Followed } from "@/log/feed";
import type { RunView } from "@/log/view";
import { Checklist } from "@/parts/Checklist";
import { later } from "@/parts/later";
import { LinkDot } from "@/parts/LinkDot";
import { Meters } from "@/parts/Meters";
import { Question } from "@/parts/Question";
import { Dialog } from "@/parts/Shell";
import { SourceList } from "@/parts/SourceList";
import { Banner, Told } from "@/parts/states";
import { Phases, Timeline } from "@/parts/Timeline";
import { Warnings } from "@/parts/Warnings";

// A run writes late: what shows its sentences is fetched meanwhile.
const fetchAnswer = () => import("@/parts/Answer");
const Answer = later(async () => ({ default: (await fetchAnswer()).Answer }));
// Few runs ask back.
const InquiryCard = later(() => import("@/parts/InquiryCard"));

export function Live({ followed }: { followed: Followed & { feed: { runId: string } } }) {
  const text = useText();
  const { view, queued } = followed;
  const runId = followed.feed.runId;
  // What is long is drawn in pieces, between which the page answers whoever scrolls or types.
  const shown = useDeferredValue(view);
  useEffect(() => void fetchAnswer(), []);
  // What grows stands last, or in a box of its own, so that nothing moves under the eyes of a reader.
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]" data-seq={shown.seq}>
      <div className="min-w-0 space-y-7">
        <header>
          <div className="mb-2 flex items-center gap-3 text-[13px] text-ink-3"><LinkDot followed={followed} /></div>
          <Question question={view.question || text.live.waiting} readAs={view.readAs} className="text-[22px] leading-snug sm:text-[26px]" />
        </header>
        {queued !== null && view.seq === 0 && <Banner tone="unsure">{text.live.queued(queued)}</Banner>}
        <div className="min-h-28 sm:min-h-14">{view.seq > 0 && <Phases view={view} />}</div>
        {view.inquiry && <Suspense><InquiryCard inquiry={view.inquiry} runId={runId} /></Suspense>}
        <Steering runId={runId} asking={view.status === "asking"} />
      </div>
      <aside className="space-y-8 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <section className="min-h-36">
          <h2 className="eyebrow mb-3">{text.live.checklist}</h2>
          <Checklist items={view.checklist} />
          {view.checklist.length === 0 && <div className="mt-4 space-y-3" aria-hidden><div className="skeleton h-4" /><div className="skeleton h-4 w-3/4" /></div>}
        </section>
        <section>
          <h2 className="eyebrow mb-3">{text.live.budget}</h2>
          <Meters view={view} />
        </section>
        <SourceList sources={shown.sources} runId={runId} question={view.question} />
      </aside>
      <div className="min-w-0 space-y-7">
        {shown.searches.length > 0 && (
          <section>
            <h2 className="eyebrow mb-3">{text.live.timeline}</h2>
            <Timeline view={shown} />
          </section>
        )}
        <Written view={view} runId={runId} />
        <Warnings warnings={view.warnings} titled />
      </div>
    </div>
  );
}

/** The answer as far as it is written; drafts are grey until they are checked. */
function Written({ view, runId }: { view: RunView; runId: string }) {
  const text = useText();
  const drafts = view.drafts.slice(view.written.length);
  if (drafts.length === 0 && view.written.length === 0) return null;
  return (
    <section>
      <h2 className="eyebrow mb-3">{text.live.answer}</h2>
      {view.written.length > 0 && (
        <Suspense>
          <Answer sentences={view.written.map((each) => each.sentence)} citations={[]} evidence={view.evidence} selection={{}} select={() => undefined} runId={runId} />
        </Suspense>
      )}
      {drafts.length > 0 && (
        <div className="answer max-w-[68ch] text-[17px] leading-[1.7] text-ink-3" dir={directionOf(drafts[0]!)}>
          {drafts.map((draft, at) => <span key={at} data-draft>{draft} </span>)}
          <p className="mt-1 text-[13px]">{text.live.drafts}</p>
        </div>
      )}
    </section>
  );
}

function Steering({ runId, asking }: { runId: string; asking: boolean }) {
  const text = useText();
  const { finish, cancel } = useRunActions(runId);
  const [sure, setSure] = useState(false);
  return (
    <div className="no-print flex flex-wrap items-center gap-2">
      {!asking && (
        <button type="button" className="btn" disabled={finish.isPending || finish.isSuccess} onClick={() => finish.mutate()}>
          <CircleStop size={16} aria-hidden />
          {finish.isSuccess ? text.live.finishing : text.live.finish}
        </button>
      )}
      <button type="button" className="btn btn-quiet" onClick={() => setSure(true)}>{text.live.cancel}</button>
      {!asking && <p className="basis-full text-[13px] text-ink-3">{text.live.connectionKept}</p>}
      <Told error={finish.error ?? cancel.error} />
      {sure && (
        <Dialog label={text.live.cancel} close={() => setSure(false)}>
          <div className="space-y-5 p-6">
            <p>{text.live.cancelSure}</p>
            <div className="flex justify-end gap-2">
              <button type="button" className="btn" onClick={() => setSure(false)}>{text.live.cancelNo}</button>
              <button type="button" className="btn btn-danger" onClick={() => { cancel.mutate(); setSure(false); }}>{text.live.cancelYes}</button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
