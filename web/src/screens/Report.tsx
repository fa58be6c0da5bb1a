/** The report of a run that is over: the answer first, and all that it rests on beside it. */
import { useState } from "react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, Link2, Play, Printer, Route } from "lucide-react";
import { useRun, useRunActions, useSession } from "@/api/queries";
import { ago, useText } from "@/i18n";
import type { Followed } from "@/log/feed";
import type { Report, Sentence } from "@/log/events";
import { type RunView, type Source, pageKey, sentencesOf } from "@/log/view";
import { Answer, type Selection } from "@/parts/Answer";
// With the screen: without a connection it could not be loaded any more.
import "@/parts/CitationCard";
import { EXTRACTIVE, askable, asMarkdown, citationsOf, openable, quoteFor, withCitations, withSources } from "@/parts/answer";
import { OpenLink, toDocument } from "@/parts/OpenLink";
import { CopyButton } from "@/parts/CopyButton";
import { Checklist } from "@/parts/Checklist";
import { Cost } from "@/parts/Cost";
import { useKeys } from "@/parts/keys";
import { Verdicts, counted, inDoubt } from "@/parts/Mark";
import { Menu } from "@/parts/Menu";
import { Meters } from "@/parts/Meters";
import { InShort } from "@/parts/InShort";
import { Nearest } from "@/parts/Nearest";
import { Dropped } from "@/parts/Dropped";
import { isCancelled, outcomeOf } from "@/parts/outcome";
import { Question } from "@/parts/Question";
import { Sharing } from "@/parts/Sharing";
import { SourceCard } from "@/parts/SourceCard";
import { Banner, Told } from "@/parts/states";
import { Phases, Timeline } from "@/parts/Timeline";
import { Tabs } from "@/parts/Tabs";
import { Warnings } from "@/parts/Warnings";
import { byMessage } from "@/log/warnings";
import type { RunSearch } from "@/router";

export default function ReportView({ followed }: { followed: Followed & { feed: { runId: string; again: () => void } } }) {
  const { view, feed } = followed;
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_25.5rem]">
      <article className="min-w-0">
        <Head view={view} runId={feed.runId} />
        {view.report ? <Body view={view} report={view.report} runId={feed.runId} /> : <Unfinished followed={followed} />}
      </article>
      <Side view={view} runId={feed.runId} />
    </div>
  );
}

const STATUS_TONES = {
  answered: "text-good bg-good-soft",
  insufficient: "text-part bg-part-soft",
  no_evidence: "text-unsure bg-unsure-soft",
} as const;

function Head({ view, runId }: { view: RunView; runId: string }) {
  const text = useText();
  const { report, remaining } = view;
  const meters = [[remaining?.queries, text.live.queries], [remaining?.reads, text.live.pages], [remaining?.tokens, text.live.tokens]] as const;
  const spent = report?.stop_reason === "budget_exhausted" ? meters.filter(([left]) => left === 0).map(([, name]) => name) : [];
  return (
    <header className="mb-7">
      <Question question={view.question || runId} readAs={view.readAs} className="text-[22px] leading-snug sm:text-[27px]" />
      {report && (
        <p className="num mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-[13px] text-ink-2">
          <span className={`tinted rounded-full px-2.5 py-0.5 font-medium ${STATUS_TONES[report.status]}`}>{text.report.status[report.status]}</span>
          <span>{text.ask.profiles[report.profile]}</span>
          <span>{text.common.seconds(report.seconds)}</span>
          {/* Enough to write from is not enough to answer all. */}
          {(report.status === "answered" || report.stop_reason !== "sufficient") && <span>{text.report.stop[report.stop_reason]}{spent.length > 0 && ` (${spent.join(", ")})`}</span>}
          {report.finished_at && <time dateTime={report.finished_at} title={new Date(report.finished_at).toLocaleString(text.code)}>{ago(report.finished_at, text.code)}</time>}
        </p>
      )}
      <Actions view={view} runId={runId} />
    </header>
  );
}

function Body({ view, report, runId }: { view: RunView; report: Report; runId: string }) {
  const search = useSearch({ strict: false }) as RunSearch;
  const navigate = useNavigate();
  const set = (change: RunSearch) =>
    void navigate({ to: ".", search: (now: RunSearch) => ({ ...now, ...change }), replace: true, resetScroll: false });
  const select = ({ s, c }: Selection) => set({ s, c });
  const sentences = sentencesOf(view);
  useReportKeys(report, sentences, search, set, runId);
  return (
    <>
      <InShort direct={report.direct} />
      <Notes report={report} showConflicts={() => set({ tab: "conflicts" })} />
      <Checked report={report} sentences={sentences} doubtOnly={search.doubt === true} choose={(doubt) => set({ doubt: doubt || undefined })} />
      <Answer
        sentences={sentences}
        citations={report.citations}
        evidence={view.evidence}
        selection={{ ...(search.s && { s: search.s }), ...(search.c && { c: search.c }) }}
        select={select}
        doubtOnly={search.doubt === true}
        apart={report.synthesis.model === EXTRACTIVE}
        runId={runId}
      />
      {report.status !== "answered" && report.gaps.length > 0 && <Open view={view} report={report} />}
      <Nearest places={report.nearest} runId={runId} />
      <Dropped sentences={report.dropped} />
    </>
  );
}

interface CheckedProps {
  report: Report;
  sentences: Sentence[];
  doubtOnly: boolean;
  choose: (doubtOnly: boolean) => void;
}

/** What the checks found, which says besides what the marks below mean. */
function Checked({ report, sentences, doubtOnly, choose }: CheckedProps) {
  const text = useText();
  const { written, dropped } = report.checks;
  const doubtful = sentences.filter((each) => inDoubt(each.support)).length;
  if (written === 0) return null;
  return (
    <div className="num mb-5 flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line pb-3 text-[13px] text-ink-2">
      <span>{text.report.checks(written)}{dropped > 0 && ` · ${text.report.dropped(dropped)}`}</span>
      <Verdicts counts={counted(sentences)} />
      {doubtful > 0 && (
        <button type="button" className="no-print chip sm:ms-auto" aria-pressed={doubtOnly} onClick={() => choose(!doubtOnly)}>
          {text.report.filterDoubt}
        </button>
      )}
    </div>
  );
}

/** Why nothing was found, as a reader can do something about it. */
export function whyNothing({ searches }: Pick<RunView, "searches">, { warnings }: Pick<Report, "warnings">): "unreached" | "cutOff" | "empty" | "elsewhere" {
  if (searches.length > 0 && searches.every((search) => search.error)) return "unreached";
  const services = searches.filter((search) => search.provider !== "folder");
  if (services.length > 0 && services.every((search) => search.error)) return "cutOff";
  return services.length === 0 && warnings.some((each) => each.kind === "empty") ? "empty" : "elsewhere";
}

/** The parts of the question that stay open, each to be asked by itself. */
function Open({ view, report }: { view: RunView; report: Report }) {
  const text = useText();
  return (
    <section className="mt-7 rounded-xl border border-line px-5 py-4">
      <h2 className="text-[15px] font-semibold">{text.report.open}</h2>
      {report.status === "no_evidence" && <p className="mt-1 text-[14px] text-ink-2">{text.report[whyNothing(view, report)]}</p>}
      <div className="mt-1"><GapList report={report} /></div>
    </section>
  );
}

/** What a reader should know before the answer. */
function Notes({ report, showConflicts }: { report: Report; showConflicts: () => void }) {
  const text = useText();
  const { earlier_run: earlier } = report;
  const notes = [
    ...report.degradations.map((each) => `${text.report.degraded}: ${each.reason}`),
    ...(report.truncated && report.status !== "no_evidence" ? [text.report.cutShort] : []),
  ];
  return (
    <div className="mb-5 space-y-2 empty:mb-0">
      {[...new Set(notes)].map((note) => <Banner key={note} tone="part">{note}</Banner>)}
      {report.conflicts.length > 0 && (
        <Banner tone="part">
          {text.report.disagree(report.conflicts.length)}{" "}
          <button type="button" className="no-print py-0.5 font-medium underline underline-offset-2" onClick={showConflicts}>{text.report.compare}</button>
        </Banner>
      )}
      {earlier && (
        <p className="no-print text-[13px] text-ink-3">
          {text.report.earlier(ago(earlier.completed, text.code))}:{" "}
          <Link to="/runs/$id" params={{ id: earlier.run_id }} className="text-accent underline underline-offset-2">{text.ask.open}</Link>
        </p>
      )}
    </div>
  );
}

function Unfinished({ followed }: { followed: Followed & { feed: { runId: string; again: () => void } } }) {
  const text = useText();
  const { view, feed } = followed;
  // What ends a run from outside leaves no event.
  const stopped: RunView = { ...view, status: "failed" };
  const { resume } = useRunActions(feed.runId);
  const state = useRun(feed.runId);
  const cancelled = isCancelled(followed);
  const why = cancelled ? text.report.cancelledWhy : (view.failure?.message ?? state.data?.error ?? text.report.interruptedWhy);
  return (
    <div className="space-y-6">
      <Banner tone={cancelled ? "unsure" : "bad"}>
        <p className="font-medium">{outcomeOf(followed, text)}</p>
        <p>{why}</p>
      </Banner>
      {!cancelled && ( // of a cancelled run nothing is kept that it could go on from
        <button
          type="button"
          className="btn"
          disabled={resume.isPending}
          onClick={() => resume.mutate(undefined, { onSuccess: () => feed.again() })}
        >
          <Play size={15} aria-hidden />
          {text.report.resume}
        </button>
      )}
      <Told error={resume.error} />
      <Phases view={stopped} />
      {view.searches.length > 0 && <Timeline view={stopped} />}
      {view.written.length > 0 && (
        <Answer sentences={view.written.map((each) => each.sentence)} citations={[]} evidence={view.evidence} selection={{}} select={() => undefined} runId={feed.runId} />
      )}
    </div>
  );
}

const FORMATS = ["md", "html", "pdf", "docx", "bib", "ris", "json"] as const;

function Actions({ view, runId }: { view: RunView; runId: string }) {
  const text = useText();
  const session = useSession();
  const [sharing, setSharing] = useState(false);
  const { report } = view;
  const path = `/v1/runs/${encodeURIComponent(runId)}/report`;
  return (
    <div className="no-print mt-4 flex flex-wrap items-center gap-2">
      <Link to="/runs/$id/trace" params={{ id: runId }} className="btn"><Route size={16} className="max-sm:hidden" aria-hidden />{text.report.trace}</Link>
      {report && (
        <>
          <CopyButton label={text.report.copyAnswer} content={() => withSources(report, text.report)} />
          <Menu label={<><Download size={16} aria-hidden />{text.report.export}</>}>
            {FORMATS.map((format) => (
              <a key={format} href={`${path}?format=${format}`} download={`quaere-${runId.slice(0, 8)}.${format}`} className="block rounded-md px-3 py-1.5 text-[14px] text-ink no-underline hover:bg-sunken">
                {text.report.formats[format]}
              </a>
            ))}
            <hr className="my-1 border-line" />
            <div onClick={(event) => event.stopPropagation()}>
              <CopyButton label={text.report.copyMarkdown} content={() => asMarkdown(report, text.report)} quiet />
            </div>
            <button type="button" className="btn btn-quiet" onClick={() => window.print()}>
              <Printer size={15} aria-hidden />{text.report.print}
            </button>
          </Menu>
          {session.data?.sharing && (
            <button type="button" className="btn" onClick={() => setSharing(true)}><Link2 size={16} className="max-sm:hidden" aria-hidden />{text.report.share}</button>
          )}
        </>
      )}
      <Link to="/" search={{ q: view.readAs || view.question, as: runId }} className="btn btn-quiet">{text.report.askAgain}</Link>
      {sharing && <Sharing runId={runId} close={() => setSharing(false)} />}
    </div>
  );
}

function Side({ view, runId }: { view: RunView; runId: string }) {
  const text = useText();
  const search = useSearch({ strict: false }) as RunSearch;
  const navigate = useNavigate();
  const { report } = view;
  const tabs = [
    { id: "sources", name: text.report.tabs.sources, count: view.sources.size, body: <Sources view={view} runId={runId} /> },
    ...(report
      ? [
          { id: "conflicts", name: text.report.tabs.conflicts, count: report.conflicts.length, body: <Conflicts view={view} report={report} runId={runId} /> },
          { id: "gaps", name: text.report.tabs.gaps, count: report.gaps.length, body: <Gaps report={report} /> },
        ]
      : []),
    { id: "timeline", name: text.report.tabs.timeline, count: 0, body: <HowItWent view={view} /> },
    ...(report ? [{ id: "cost", name: text.report.tabs.cost, count: 0, body: <Cost report={report} /> }] : []),
    { id: "warnings", name: text.report.tabs.warnings, count: byMessage(view.warnings).length, body: <div className="py-4"><Warnings warnings={view.warnings} /></div> },
  ].filter((tab) => tab.count > 0 || (tab.id !== "conflicts" && tab.id !== "warnings"));
  return (
    <aside className="min-w-0 xl:border-s xl:border-line xl:ps-8" aria-label={text.report.tabs.sources} data-run={runId}>
      <Tabs
        tabs={tabs}
        chosen={search.tab ?? "sources"}
        choose={(tab) => void navigate({ to: ".", search: (now: RunSearch) => ({ ...now, tab: tab === "sources" ? undefined : tab }), replace: true, resetScroll: false })}
      />
    </aside>
  );
}

function Sources({ view, runId }: { view: RunView; runId: string }) {
  const text = useText();
  const sources = [...view.sources.values()];
  const numbers = new Map<string, number[]>();
  for (const { url, id } of view.report?.citations ?? []) numbers.set(pageKey(url), [...(numbers.get(pageKey(url)) ?? []), id]);
  const first = (source: Source) => numbers.get(source.key)?.[0] ?? 0;
  const groups: [string, Source[]][] = [
    [text.report.cited, sources.filter((each) => each.state === "cited").sort((a, b) => first(a) - first(b))],
    [text.report.readNotCited, sources.filter((each) => each.state === "read")],
    [text.report.refused, sources.filter((each) => each.state === "refused")],
    [text.report.foundOnly, sources.filter((each) => each.state === "found")],
  ];
  if (sources.length === 0) return <p className="py-4 text-ink-2">{text.report.noSources}</p>;
  return (
    <>
      {groups.filter(([, group]) => group.length > 0).map(([name, group], at) => (
        <details key={name} open={at === 0 || group[0]!.state === "refused"} className="border-b border-line last:border-0">
          <summary className="py-3 text-[14px] font-medium">
            {name} <span className="num font-normal text-ink-3">{group.length}</span>
          </summary>
          <div className="divide-y divide-line pb-2">
            {group.map((source) => <SourceCard key={source.key} source={source} numbers={numbers.get(source.key)} run={runId} question={view.question} />)}
          </div>
        </details>
      ))}
    </>
  );
}

function Conflicts({ view, report, runId }: { view: RunView; report: Report; runId: string }) {
  const text = useText();
  const words = (id: number) => {
    const evidence = view.evidence.get(id);
    const quote = evidence && report.sentences.flatMap((each) => each.quotes).find((each) => each.passage === evidence.passage);
    return { title: evidence?.title ?? `[${id}]`, quote: quote?.text, url: evidence?.url ?? "" };
  };
  return (
    <ul className="space-y-4 py-4">
      {report.conflicts.map((conflict, at) => (
        <li key={at} className="card p-4">
          <p className="mb-3 text-[13px] text-ink-2">
            {text.report.differsIn(text.report.differ[conflict.what])} {conflict.note && <span className="font-medium text-ink" dir="auto">{conflict.note}</span>}
          </p>
          <div className="grid gap-3 sm:grid-cols-2">
            {[conflict.left, conflict.right].map((id) => {
              const { title, quote, url } = words(id);
              return (
                <figure key={id} className="min-w-0 border-s-2 border-line-strong ps-3 text-[14px]">
                  {quote ? <blockquote dir="auto">{quote}</blockquote> : <p className="text-ink-2">{text.report.notQuoted}</p>}
                  <figcaption className="mt-1 text-[13px] break-words text-ink-3">
                    <OpenLink url={url} quote={quote} run={runId} className="text-ink-2 hover:text-accent" otherwise={title}>{title}</OpenLink>
                  </figcaption>
                </figure>
              );
            })}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Gaps({ report }: { report: Report }) {
  const text = useText();
  return (
    <div className="space-y-6 py-4">
      {report.gaps.length === 0 ? <p className="text-ink-2">{text.report.noGaps}</p> : <GapList report={report} />}
      <section>
        <h2 className="eyebrow mb-3">{text.live.checklist}</h2>
        <Checklist items={report.checklist.items} />
      </section>
    </div>
  );
}

function GapList({ report }: { report: Report }) {
  const text = useText();
  return (
    <ul className="divide-y divide-line">
      {report.gaps.map((gap) => {
        const asked = askable(gap, report);
        return (
          <li key={gap} className="flex items-start justify-between gap-3 py-2.5 text-[14px]">
            <span className="min-w-0" dir="auto">{gap}</span>
            {asked && <Link to="/" search={{ q: asked, as: report.run_id }} className="no-print shrink-0 font-medium text-accent">{asked === report.question ? text.report.askAgain : text.report.askThis}</Link>}
          </li>
        );
      })}
    </ul>
  );
}

function HowItWent({ view }: { view: RunView }) {
  return (
    <div className="space-y-5 py-4">
      <Phases view={view} />
      <Timeline view={view} />
      <Meters view={view} />
    </div>
  );
}

/** The keys of a reader; what they select is in the address. */
function useReportKeys(report: Report, sentences: Sentence[], search: RunSearch, set: (change: RunSearch) => void, runId: string): void {
  const navigate = useNavigate();
  const shown = sentences
    .map((sentence, at) => ({ sentence, place: at + 1 }))
    .filter(({ sentence: { support } }) => (search.doubt ? inDoubt(support) : support !== "not_a_claim"));
  const step = (by: number) => {
    const at = shown.findIndex(({ place }) => place === search.s);
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, at + by))];
    if (next) set({ s: next.place, c: undefined });
  };
  const sentence = search.s ? sentences[search.s - 1] : undefined;
  const cited = sentence ? citationsOf(sentence, report.citations) : [];
  const current = cited.find((each) => each.id === search.c) ?? cited[0];
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    c: () => current && set({ s: search.s, c: search.c ? undefined : current.id }),
    o: () => {
      const address = current && sentence && openable(current.url, quoteFor(sentence, current));
      const document = current && toDocument({ url: current.url, run: runId, s: search.s!, c: current.id });
      if (document) void navigate(document);
      else if (address) window.open(address, "_blank", "noopener,noreferrer");
    },
    t: () => void navigate({ to: "/runs/$id/trace", params: { id: runId }, search: search.s ? { node: `claim:${search.s}` } : {} }),
    v: () => set({ doubt: search.doubt ? undefined : true }),
    y: () => sentence && void navigator.clipboard.writeText(withCitations(sentence, report.citations)),
    Escape: () => set({ s: undefined, c: undefined }),
  });
}

