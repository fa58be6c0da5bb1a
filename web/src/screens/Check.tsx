/** Anybody's text, held against what it cites, sentence by sentence. */
import { type DragEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { FileText } from "lucide-react";
import type { Audit, CheckedSentence } from "@/api/client";
import { useFolders, useOwnDocs } from "@/api/kept";
import { useCheck, useTextOf } from "@/api/queries";
import { directionOf, percent, useText } from "@/i18n";
import { placed } from "@/log/places";
import { retold } from "@/log/reasons";
import { openable, shared, siteOf } from "@/parts/answer";
import { forget, keep, kept } from "@/parts/browser";
import { Mark, VerdictBar, inDoubt } from "@/parts/Mark";
import { Page } from "@/parts/Shell";
import { Banner, Told } from "@/parts/states";
import { Warnings } from "@/parts/Warnings";

const MOST_CHARACTERS = 500_000;
/** What the tab keeps, so that a reload loses neither what was pasted nor what was found. */
const DRAFT = "quaere.check.draft";
const FOUND = "quaere.check.found";

/** Return what was last found, and how to keep what is found next; null forgets it. */
function useFound(): [Audit | null, (audit: Audit | null) => void] {
  const [found, setFound] = useState(() => JSON.parse(kept("sessionStorage", FOUND) ?? "null") as Audit | null);
  const change = (audit: Audit | null) => {
    setFound(audit);
    if (audit) keep("sessionStorage", FOUND, JSON.stringify(audit));
    else forget(FOUND);
  };
  return [found, change];
}

export default function CheckScreen() {
  const text = useText();
  const check = useCheck();
  const folders = useFolders();
  const ownDocs = useOwnDocs();
  const [typed, setTyped] = useState(() => kept("sessionStorage", DRAFT) ?? "");
  const [found, setFound] = useFound();
  useEffect(() => keep("sessionStorage", DRAFT, typed), [typed]);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [lookUp, setLookUp] = useState(true);
  const all = folders.data?.map((folder) => folder.id) ?? [];
  const roots = chosen ?? all;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate({ text: typed, folders: roots, look_up: lookUp && roots.length > 0 }, { onSuccess: setFound });
  };
  const chooser = useRef<HTMLInputElement>(null);
  const read = useTextOf();
  const take = (files: FileList | null) => {
    if (files?.[0]) read.mutate(files[0], { onSuccess: setTyped });
    if (chooser.current) chooser.current.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  };
  if (found) return <Findings audit={found} again={() => setFound(null)} />;
  return (
    <Page title={text.check.title}>
      <h1 className="text-2xl font-semibold tracking-tight">{text.check.title}</h1>
      <p className="mt-1 mb-6 max-w-2xl text-ink-2">{text.check.lead}</p>
      <form onSubmit={submit} onDrop={drop} onDragOver={(event) => event.preventDefault()} className="space-y-4">
        <textarea
          aria-label={text.check.label}
          placeholder={text.check.placeholder}
          rows={14}
          dir="auto"
          className="field resize-y p-4 leading-relaxed"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {all.length > 0 && (
          <div role="group" aria-label={text.check.folders} className="flex flex-wrap items-center gap-1.5">
            <span className="me-1 text-[13px] text-ink-2">{text.check.folders}</span>
            {folders.data!.map(({ id, name }) => (
              <button key={id} type="button" className="chip" aria-pressed={roots.includes(id)} onClick={() => setChosen(roots.includes(id) ? roots.filter((each) => each !== id) : [...roots, id])}>
                {name}
              </button>
            ))}
            {roots.length > 0 && (
              <label className="ms-2 flex items-center gap-1.5 text-[13px] text-ink-2">
                <input type="checkbox" checked={lookUp} onChange={(event) => setLookUp(event.target.checked)} />
                {text.check.lookUp}
              </label>
            )}
          </div>
        )}
        {typed.length > MOST_CHARACTERS && <Told error={new Error(text.check.tooLong)} />}
        <Told error={read.error} />
        <Told error={check.error} />
        <div className="flex flex-wrap items-center gap-3">
          <button type="submit" className="btn btn-primary" disabled={!typed.trim() || typed.length > MOST_CHARACTERS || check.isPending}>
            {check.isPending ? text.check.checking : text.check.submit}
          </button>
          {!typed && ownDocs && <button type="button" className="btn" onClick={() => setTyped(text.check.sampleText)}>{text.check.sample}</button>}
          <button type="button" className="btn" disabled={read.isPending} onClick={() => chooser.current?.click()}>{text.check.choose}</button>
          <input ref={chooser} type="file" accept="text/*,.md,.markdown,.txt,.rst,.docx,.odt,.rtf,.pdf,.html,.epub,.pptx,.odp,.ipynb,.eml" hidden onChange={(event) => take(event.target.files)} />
          <span className="hidden text-[13px] text-ink-3 sm:inline">{text.check.drop}</span>
          <span role="status" className="sr-only">{check.isPending ? text.check.checking : ""}</span>
        </div>
      </form>
    </Page>
  );
}

function Findings({ audit, again }: { audit: Audit; again: () => void }) {
  const text = useText();
  const [doubtOnly, setDoubtOnly] = useState(false);
  const doubtful = audit.sentences.filter((sentence) => inDoubt(sentence.verdict)).length;
  const { summary } = audit;
  const shown = audit.sentences.filter((sentence) => !doubtOnly || inDoubt(sentence.verdict));
  const ofClaims = (count: number) => (summary.claims ? count / summary.claims : null);
  const anyFound = audit.sources.some((source) => source.found);
  const shares = [
    [ofClaims(summary.cited), text.check.cited],
    ...(anyFound ? [[ofClaims(summary.found), text.check.foundShare] as const] : []),
    ...(summary.cited > 0 || !anyFound
      ? [[summary.citation_precision, text.check.precision] as const, [summary.citation_recall, text.check.recall] as const]
      : []),
  ] as const;
  return (
    <Page title={text.check.title}>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">{text.check.title}</h1>
        <button type="button" className="btn" onClick={again}>{text.check.again}</button>
      </div>
      {summary.cited === 0 && !anyFound && <Banner tone="part">{text.check.nothingCited}</Banner>}
      <dl className="my-5 grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
        {shares.map(([share, name]) => (
          <div key={name} className="card flex flex-col-reverse justify-end p-4">
            <dt className="text-[13px] text-ink-2">{name}</dt>
            <dd className="num text-2xl font-semibold">{share == null ? "–" : percent(share, text.code)}</dd>
          </div>
        ))}
      </dl>
      <VerdictBar counts={summary.verdicts} />
      {doubtful > 0 && (
        <button type="button" className="chip num mt-4" aria-pressed={doubtOnly} onClick={() => setDoubtOnly(!doubtOnly)}>{text.report.filterDoubt}</button>
      )}
      <ol className="divide-y divide-line">
        {shown.map((sentence) => <Finding key={sentence.start} sentence={sentence} audit={audit} />)}
      </ol>
      <section className="mt-9">
        <h2 className="mb-2 text-lg font-semibold">{text.check.sources}</h2>
        <ul className="divide-y divide-line text-[14px]">
          {audit.sources.map((source) => {
            const address = openable(source.address);
            return (
              <li key={source.number} className="flex items-start gap-3 py-2.5">
                <FileText size={16} className="mt-1 shrink-0 text-ink-3" aria-hidden />
                <div className="min-w-0 break-words">
                  <p className="font-medium">{address ? <a href={address} target="_blank" rel="noopener noreferrer" className="hover:underline">{source.title || source.address}</a> : source.title || source.address || `[${source.labels.join(", ")}]`}</p>
                  <p className={`text-[13px] ${source.url ? "text-ink-3" : "text-bad"}`}>{source.found ? text.check.found : text.source.statuses[source.status]}{source.reason && `: ${source.reason}`}</p>
                </div>
              </li>
            );
          })}
        </ul>
      </section>
      {audit.warnings.length > 0 && <div className="mt-6"><Warnings warnings={audit.warnings} /></div>}
    </Page>
  );
}

function Finding({ sentence, audit }: { sentence: CheckedSentence; audit: Audit }) {
  const text = useText();
  const { place } = sentence;
  const source = place && audit.sources[place.source - 1];
  return (
    <li className="grid gap-x-5 gap-y-1.5 py-4 sm:grid-cols-[10.5rem_1fr]" data-verdict={sentence.verdict}>
      <p className="num text-[13px]">
        <Mark support={sentence.verdict} size={16} named />
        <span className="block text-ink-3">
          {text.check.line(sentence.line)}
          {sentence.probability != null && ` · ${text.verdict.likely(percent(sentence.probability, text.code))}`}
        </span>
      </p>
      <div className="min-w-0">
        <p className="break-words" dir={directionOf(sentence.text)}>{sentence.text}</p>
        {place && (
          <blockquote className="mt-2 border-s-2 border-line-strong ps-3 text-[14px] text-ink-2" dir={directionOf(place.text)}>
            {shared(place.text, sentence.text).map((part, at) => (part.shared ? <mark key={at}>{part.text}</mark> : part.text))}
            <footer className="mt-0.5 text-[13px] text-ink-3">{[source && siteOf(source.url || source.address), placed(place.locator, text.places)].filter(Boolean).join(", ")}</footer>
          </blockquote>
        )}
        {sentence.reason && <p className="mt-1.5 text-[13px] text-ink-3">{retold(sentence.reason, text.reasons)}</p>}
      </div>
    </li>
  );
}
