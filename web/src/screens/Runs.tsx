/** All that was asked: found again, filtered, labelled, compared. */
import { useEffect, useRef, useState } from "react";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import { Ellipsis, GitCompareArrows, History, Link2, Pin, Tag, Trash2 } from "lucide-react";
import type { RunState } from "@/api/client";
import { STATUSES, useRunActions, useSession } from "@/api/queries";
import { useRuns } from "@/api/runs";
import { ago, directionOf, dollars, useText } from "@/i18n";
import { useDelayed } from "@/parts/hooks";
import { inOneLine } from "@/parts/answer";
import { Sharing } from "@/parts/Sharing";
import { Dialog, Page } from "@/parts/Shell";
import { Empty, Failed, Loading, Told } from "@/parts/states";

const route = getRouteApi("/runs");

export default function RunsScreen() {
  const text = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const [words, setWords] = useState(search.q ?? "");
  const wanted = useDelayed(words, 300);
  const [chosen, setChosen] = useState<string[]>([]);
  const set = (change: Partial<typeof search>) =>
    void navigate({ to: "/runs", search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false });
  useEffect(() => {
    // To go where one is already would lose how far the list was scrolled before.
    if (wanted !== (search.q ?? "")) set({ q: wanted || undefined });
  }, [wanted]);
  const runs = useRuns(search);
  const listed = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const filtered = Boolean(search.q ?? search.status ?? search.tag ?? search.pinned);
  const choose = (id: string) => setChosen((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now.slice(-1), id]));
  return (
    <Page title={text.runs.title}>
      <h1 className="mb-5 text-2xl font-semibold tracking-tight">{text.runs.title}</h1>
      <div className="mb-4 space-y-3">
        <input type="search" className="field" placeholder={text.runs.search} aria-label={text.runs.search} value={words} onChange={(event) => setWords(event.target.value)} />
        <div className="flex flex-wrap gap-1.5">
          <button type="button" className="chip" aria-pressed={!search.status && !search.pinned} onClick={() => set({ status: undefined, pinned: undefined, tag: undefined })}>{text.runs.status.all}</button>
          {STATUSES.map((status) => (
            <button key={status} type="button" className="chip" aria-pressed={search.status === status} onClick={() => set({ status: search.status === status ? undefined : status })}>{text.runs.status[status]}</button>
          ))}
          <button type="button" className="chip" aria-pressed={search.pinned === true} onClick={() => set({ pinned: search.pinned ? undefined : true })}>
            <Pin size={13} aria-hidden />{text.runs.pinnedOnly}
          </button>
          {search.tag && <button type="button" className="chip" aria-pressed onClick={() => set({ tag: undefined })}><Tag size={13} aria-hidden />{search.tag}</button>}
        </div>
      </div>
      <Compare chosen={chosen} clear={() => setChosen([])} several={listed.length > 1} />
      {runs.isPending && <Loading rows={8} />}
      {runs.error && <Failed below error={runs.error} retry={() => void runs.refetch()} />}
      {runs.data && listed.length === 0 && (
        filtered ? <p className="py-10 text-center text-ink-2">{text.runs.noMatch}</p> : (
          <Empty below icon={<History size={28} />} title={text.runs.empty}>
            <p className="mb-5">{text.runs.emptyWhy}</p>
            <Link to="/" className="btn btn-primary">{text.nav.ask}</Link>
          </Empty>
        )
      )}
      <ul className="divide-y divide-line">
        {listed.map((run) => <Row key={run.run_id} run={run} chosen={chosen.includes(run.run_id)} choose={() => choose(run.run_id)} byTag={(tag) => set({ tag })} />)}
      </ul>
      {runs.hasNextPage && (
        <button type="button" className="btn mt-5" disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>{text.common.more}</button>
      )}
    </Page>
  );
}

function Compare({ chosen, clear, several }: { chosen: string[]; clear: () => void; several: boolean }) {
  const text = useText();
  const [first, second] = chosen;
  if (!first) return several ? <p className="mb-2 text-[13px] text-ink-3">{text.runs.compareHint}</p> : null;
  return (
    <div className="sticky top-2 z-10 mb-3 flex items-center gap-2 rounded-xl border border-accent bg-surface px-4 py-2 shadow-card">
      <span className="flex-1 text-[14px]">{text.runs.selected(chosen.length)}</span>
      {second && (
        <Link to="/runs/$first/diff/$second" params={{ first, second }} className="btn btn-primary">
          <GitCompareArrows size={16} aria-hidden />{text.runs.compare}
        </Link>
      )}
      <button type="button" className="btn btn-quiet" onClick={clear}>{text.runs.clear}</button>
    </div>
  );
}

const TONES: Record<string, string> = {
  answered: "bg-good",
  insufficient: "bg-part",
  no_evidence: "bg-unsure",
  failed: "bg-bad",
  cancelled: "bg-ink-3",
  interrupted: "bg-bad",
  in_progress: "bg-accent pulse",
  waits: "bg-unsure",
  pending: "bg-ink-3 pulse",
};

function Row({ run, chosen, choose, byTag }: { run: RunState; chosen: boolean; choose: () => void; byTag: (tag: string) => void }) {
  const text = useText();
  const outcome = run.answer_status ?? (run.waits_for ? "waits" : run.status);
  const status = run.answer_status ? text.report.status[run.answer_status] : text.runs.status[run.status];
  const said = run.waits_for ? text.runs.waitsForYou : status;
  const cost = typeof run.metrics.cost_usd === "number" && run.metrics.cost_usd > 0 ? dollars(run.metrics.cost_usd, text.code) : null;
  return (
    <li className="flex items-start gap-3 py-3.5" data-run={run.run_id}>
      <input type="checkbox" className="mt-1 size-4.5 shrink-0 accent-accent" checked={chosen} onChange={choose} aria-label={text.runs.select(run.question)} />
      <div className="min-w-0 flex-1">
        <Link to="/runs/$id" params={{ id: run.run_id }} className="block text-ink no-underline hover:text-accent">
          <span className="line-clamp-2 font-medium break-words [text-align:match-parent]" dir={directionOf(run.question)}>{run.question}</span>
          {run.summary && <span className="mt-0.5 line-clamp-1 text-[14px] text-ink-2 [text-align:match-parent]" dir={directionOf(run.summary)}>{inOneLine(run.summary)}</span>}
        </Link>
        <p className="num mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-ink-3">
          <span className="inline-flex items-center gap-1.5"><span className={`size-2 rounded-full ${TONES[outcome]}`} aria-hidden />{said}</span>
          <time dateTime={run.created_at} title={new Date(run.created_at).toLocaleString(text.code)}>{ago(run.created_at, text.code)}</time>
          {cost && <span>{cost}</span>}
          {run.queue_position != null && <span>{text.live.queued(run.queue_position)}</span>}
          {run.pinned && <span className="inline-flex items-center gap-1"><Pin size={13} aria-hidden />{text.runs.pinnedOnly}</span>}
          {run.tags.map((tag) => <button key={tag} type="button" className="rounded bg-sunken px-1.5 text-ink-2 hover:text-accent" onClick={() => byTag(tag)}>{tag}</button>)}
        </p>
      </div>
      <RowActions run={run} />
    </li>
  );
}

function RowActions({ run }: { run: RunState }) {
  const text = useText();
  const { label, remove } = useRunActions(run.run_id);
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const session = useSession();
  const [asking, setAsking] = useState<"tags" | "share" | "delete" | null>(null);
  const open = () => {
    const from = button.current!.getBoundingClientRect();
    list.current!.togglePopover();
    list.current!.style.left = `${from.right - list.current!.offsetWidth}px`;
    list.current!.style.top = `${from.bottom + 4}px`;
  };
  const item = "flex w-full items-center gap-2.5 rounded-md px-3 py-1.5 text-start text-[14px] hover:bg-sunken";
  return (
    <>
      <button ref={button} type="button" className="grid size-9 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-sunken" aria-label={text.runs.actions(run.question)} aria-haspopup="true" onClick={open}>
        <Ellipsis size={18} aria-hidden />
      </button>
      <div ref={list} popover="auto" className="fixed w-44 rounded-xl border border-line bg-surface p-1.5 shadow-card" onClick={() => list.current?.hidePopover()}>
        <button type="button" className={item} onClick={() => label.mutate({ pinned: !run.pinned })}><Pin size={15} aria-hidden />{run.pinned ? text.runs.unpin : text.runs.pin}</button>
        <button type="button" className={item} onClick={() => setAsking("tags")}><Tag size={15} aria-hidden />{text.runs.tag}</button>
        {session.data?.sharing && run.answer_status && <button type="button" className={item} onClick={() => setAsking("share")}><Link2 size={15} aria-hidden />{text.report.share}</button>}
        <button type="button" className={`${item} text-bad`} onClick={() => setAsking("delete")}><Trash2 size={15} aria-hidden />{text.common.delete}</button>
      </div>
      {asking === "share" && <Sharing runId={run.run_id} close={() => setAsking(null)} />}
      {asking === "tags" && <Tags tags={run.tags} save={(tags) => label.mutate({ tags })} close={() => setAsking(null)} />}
      {asking === "delete" && (
        <Dialog label={text.common.delete} close={() => setAsking(null)}>
          <div className="space-y-5 p-6">
            <p>{text.runs.deleteSure}</p>
            <p className="font-medium" dir="auto">{run.question}</p>
            <Told error={remove.error} />
            <div className="flex justify-end gap-2">
              <button type="button" className="btn" onClick={() => setAsking(null)}>{text.common.cancel}</button>
              <button type="button" className="btn btn-danger" onClick={() => remove.mutate(undefined, { onSuccess: () => setAsking(null) })}>{text.common.delete}</button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Tags({ tags, save, close }: { tags: readonly string[]; save: (tags: string[]) => void; close: () => void }) {
  const text = useText();
  const [typed, setTyped] = useState(tags.join(", "));
  return (
    <Dialog label={text.runs.tag} close={close}>
      <form
        className="space-y-4 p-6"
        onSubmit={(event) => {
          event.preventDefault();
          save([...new Set(typed.split(",").map((tag) => tag.trim()).filter(Boolean))]);
          close();
        }}
      >
        <label className="block">
          <span className="mb-1 block font-medium">{text.runs.tag}</span>
          <input autoFocus className="field" value={typed} onChange={(event) => setTyped(event.target.value)} aria-describedby="tag-hint" />
          <span id="tag-hint" className="mt-1 block text-[13px] text-ink-3">{text.runs.tagHint}</span>
        </label>
        <button type="submit" className="btn btn-primary">{text.common.save}</button>
      </form>
    </Dialog>
  );
}
