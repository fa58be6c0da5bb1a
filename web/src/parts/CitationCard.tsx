/** A source of one sentence: who says so, in which words, and how sure that is. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight, ExternalLink, Route, X } from "lucide-react";
import { ago, directionOf, percent, useText } from "@/i18n";
import type { Citation, Evidence, Sentence } from "@/log/events";
import { placed } from "@/log/places";
import { retold } from "@/log/reasons";
import { originsOf, quoteFor, shared, siteOf, withCitations } from "./answer";
import { CopyButton } from "./CopyButton";
import { Inline } from "./Inline";
import { Mark, inDoubt } from "./Mark";
import { OpenLink } from "./OpenLink";

interface CardProps {
  anchor: HTMLElement;
  sentence: Sentence;
  place: number;
  citation: Citation;
  citations: Citation[];
  evidence: ReadonlyMap<number, Evidence>;
  runId?: string;
  /** Whether it was opened to stay, and takes the focus. */
  modal: boolean;
  close: () => void;
  stay: () => void;
  leave: () => void;
  turn: (citation: number) => void;
}

const GAP = 8;
const EDGE = 12;
/** The height in pixels that a card can be read in, the rest being scrolled to. */
const LEAST_ROOM = 240;
/** The width in pixels below which the card is a sheet; `styles.css` has it, too. */
const SHEET_BELOW = 640;

export default function CitationCard(props: CardProps) {
  const { anchor, sentence, place, citation, citations, evidence, runId, modal, close, stay, leave, turn } = props;
  const text = useText();
  const card = useRef<HTMLDivElement>(null);
  const name = useId();
  usePlaceAt(card, anchor);
  useEffect(() => {
    if (modal) card.current?.focus();
    const key = (event: KeyboardEvent) => event.key === "Escape" && close();
    const outside = (event: PointerEvent) => {
      const target = event.target as Element;
      if (modal && !card.current?.contains(target) && !target.closest("[data-cite], .sentence, .mark")) close();
    };
    window.addEventListener("keydown", key);
    window.addEventListener("pointerdown", outside);
    return () => {
      window.removeEventListener("keydown", key);
      window.removeEventListener("pointerdown", outside);
    };
  }, [modal]);
  const source = evidence.get(citation.evidence);
  const quote = quoteFor(sentence, citation);
  const at = citations.indexOf(citation);
  const { origins, sources } = originsOf(sentence.evidence, evidence);
  return (
    <div
      ref={card}
      popover="manual"
      role="dialog"
      // It speaks the reader's language, whichever way the answer around it runs.
      dir={text.dir}
      aria-labelledby={name}
      tabIndex={-1}
      onPointerEnter={stay}
      onPointerLeave={leave}
      className="sheet fixed flex-col open:flex w-[min(27rem,calc(100vw-1.5rem))] rounded-xl border border-line bg-surface p-0 text-[14px] leading-normal shadow-card outline-none"
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2.5 text-[13px]">
        <Mark support={sentence.support} size={17} named />
        {sentence.by && <span className="min-w-0 truncate text-ink-3">{text.verdict.by[sentence.by]}</span>}
        <span className="flex-1" />
        {citations.length > 1 && (
          <>
            <TurnButton label={text.card.previous} icon={ArrowLeft} to={citations[at - 1]} turn={turn} />
            <TurnButton label={text.card.next} icon={ArrowRight} to={citations[at + 1]} turn={turn} />
          </>
        )}
        {modal && (
          <button type="button" className="-me-2 grid size-8 place-items-center rounded-md text-ink-3 hover:bg-sunken" aria-label={text.common.close} onClick={close}>
            <X size={16} aria-hidden />
          </button>
        )}
      </div>
      <div className="max-h-[min(24rem,60vh)] min-h-0 overflow-auto px-4 py-3">
        {inDoubt(sentence.support) && <Doubt sentence={sentence} quote={quote} />}
        <p id={name} className="font-medium break-words" dir="auto">
          <span className="num me-1.5 text-ink-3">{citation.id}</span>
          {citation.title}
        </p>
        <p className="text-[13px] break-words text-ink-2">
          {[siteOf(citation.url), placed(citation.locator, text.places)].filter(Boolean).join(", ")}
        </p>
        <blockquote dir={directionOf(quote)} className="mt-2 border-s-2 border-accent ps-3 text-[15px] leading-relaxed" data-quote>
          {shared(quote, sentence.text).map((part, key) => (part.shared ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>))}
        </blockquote>
        <p className="mt-2 flex flex-wrap gap-x-2 text-[13px] text-ink-3">
          {source && <span>{text.site[source.site]}</span>}
          {citation.retrieved_at && (
            <time dateTime={citation.retrieved_at} title={new Date(citation.retrieved_at).toLocaleString(text.code)}>
              {text.card.retrieved(ago(citation.retrieved_at, text.code))}
            </time>
          )}
          {sentence.probability != null && sentence.support !== "quoted" && <span>{text.verdict.likely(percent(sentence.probability, text.code))}</span>}
          {sources > 0 && <span>{text.card.origins(origins, sources)}</span>}
        </p>
        {sentence.reason && !inDoubt(sentence.support) && (
          <p className="mt-2 text-[13px] text-ink-2">
            <span className="text-ink-3">{text.card.why}: </span>
            {retold(sentence.reason, text.reasons)}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-1 border-t border-line px-2 py-1.5">
        <OpenLink url={citation.url} quote={quote} run={runId} s={place} c={citation.id} className="btn btn-quiet text-[13px] text-accent">
          <ExternalLink size={15} aria-hidden />
          {text.card.open}
        </OpenLink>
        {runId && (
          <Link to="/runs/$id/trace" params={{ id: runId }} search={{ node: `claim:${place}` }} className="btn btn-quiet text-[13px]">
            <Route size={15} aria-hidden />
            {text.card.trace}
          </Link>
        )}
        <CopyButton label={text.card.copy} content={() => withCitations(sentence, citations)} quiet />
      </div>
    </div>
  );
}

/** Why a sentence is doubtful: what was found, and which of its words the quote does not have. */
function Doubt({ sentence, quote }: { sentence: Sentence; quote: string }) {
  const text = useText();
  return (
    <div className="mb-3">
      {sentence.reason && <p className="font-medium first-letter:uppercase">{retold(sentence.reason, text.reasons)}</p>}
      <p className="mt-1 text-ink-2" dir={directionOf(sentence.text)} data-doubt>
        {shared(sentence.text, quote).map((part, key) =>
          part.shared || !/[\p{L}\p{N}]{3}/u.test(part.text) ? <Inline key={key} text={part.text} /> : <span key={key} className="underline decoration-part decoration-dotted decoration-2 underline-offset-4">{part.text}</span>,
        )}
      </p>
      <p className="eyebrow mt-3 mb-1">{text.card.says}</p>
    </div>
  );
}

function TurnButton({ label, icon: Icon, to, turn }: { label: string; icon: typeof ArrowLeft; to: Citation | undefined; turn: (id: number) => void }) {
  return (
    <button type="button" className="grid size-8 place-items-center rounded-md text-ink-2 enabled:hover:bg-sunken disabled:opacity-30" aria-label={label} disabled={!to} onClick={() => to && turn(to.id)}>
      <Icon size={15} aria-hidden />
    </button>
  );
}

/** Show the card in the top layer, below its anchor or above it, and never beyond the edge. */
function usePlaceAt(card: React.RefObject<HTMLDivElement | null>, anchor: HTMLElement): void {
  const [, placed] = useState(0);
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    element.showPopover?.();
    const place = () => {
      const from = anchor.getBoundingClientRect();
      element.style.maxHeight = "";
      const { width, height } = element.getBoundingClientRect();
      const room = window.innerHeight - EDGE - from.bottom - GAP;
      // Above it would cover the sentence that it is about: rather it is scrolled.
      const below = room > Math.min(height, LEAST_ROOM);
      if (below) element.style.maxHeight = `${room}px`;
      // Where it has to stand above, it does so above its sentence.
      const { top } = anchor.closest(".sentence")?.getClientRects()[0] ?? from;
      const left = Math.max(EDGE, Math.min(from.left - 24, document.documentElement.clientWidth - width - EDGE));
      element.style.left = `${left}px`;
      element.style.top = `${Math.max(EDGE, below ? from.bottom + GAP : top - GAP - height)}px`;
    };
    place();
    // On a phone the card is a sheet; the sentence that it is about stays above it.
    const covered = anchor.getBoundingClientRect().bottom + GAP - element.getBoundingClientRect().top;
    if (window.innerWidth < SHEET_BELOW && covered > 0) window.scrollBy({ top: covered });
    placed(1);
    window.addEventListener("scroll", place, { passive: true });
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place);
      window.removeEventListener("resize", place);
    };
  }, [card, anchor]);
}
