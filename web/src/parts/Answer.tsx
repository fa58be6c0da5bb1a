/**
 * An answer, sentence by sentence: what each is worth stands in the margin, and its sources open
 * beside it. It is drawn from data alone; nothing that a page or a model wrote is ever markup.
 */
import { type KeyboardEvent, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { directionOf, useText } from "@/i18n";
import type { Citation, Evidence, Sentence } from "@/log/events";
import { type Block, type Placed, blocksOf, citationsOf, tablesOf } from "./answer";
import { Inline, lastWord } from "./Inline";
import { later } from "./later";
import { Mark, inDoubt } from "./Mark";

// Whoever watches a run cannot open a source yet.
const CitationCard = later(() => import("./CitationCard"));

export interface Selection {
  /** The sentence, from 1. */
  s?: number;
  /** The number of the citation that is open. */
  c?: number;
}

interface AnswerProps {
  sentences: readonly Sentence[];
  citations: readonly Citation[];
  evidence: ReadonlyMap<number, Evidence>;
  selection: Selection;
  select: (selection: Selection) => void;
  doubtOnly?: boolean;
  /** Whether each sentence stands by itself, as quotes do that nobody has joined. */
  apart?: boolean;
  /** The run whose trace it leads to; none where the reader may not see it. */
  runId?: string;
}

/** What is open: at rest the selection of the address, for a moment what the pointer is on. */
interface Opened {
  s: number;
  c: number;
  anchor: HTMLElement;
  pinned: boolean;
}

/** Words that are longer may break, as may writing without spaces. */
const LONGEST_WORD = 24;
const OPENS_MS = 120;
const CLOSES_MS = 220;

export function Answer({ sentences, citations, evidence, selection, select, doubtOnly = false, apart = false, runId }: AnswerProps) {
  const box = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [opened, setOpened] = useState<Opened | null>(null);
  const pinnedTo = useRef<HTMLElement>(null);
  const returning = useRef(false);
  /** Focus what opened a card, which is not to open it again. */
  const giveBack = (anchor: HTMLElement) => {
    returning.current = true;
    anchor.focus();
    returning.current = false;
  };
  useMarksSideBySide(box, sentences);
  const anchorOf = (s: number, c: number) => box.current?.querySelector<HTMLElement>(`[data-cite="${s}-${c}"]`) ?? null;
  useEffect(() => {
    const { s, c } = selection;
    const anchor = s && c ? anchorOf(s, c) : null;
    setOpened(anchor && s && c ? { s, c, anchor, pinned: true } : null);
    const from = pinnedTo.current;
    pinnedTo.current = anchor;
    // Whoever closed it, the focus would be lost with the card.
    const focused = document.activeElement;
    if (from && !anchor && (focused === document.body || focused?.closest("[popover]"))) giveBack(from);
    (anchor ?? box.current?.querySelector(`[data-place="${s}"]`))?.scrollIntoView?.({ block: "nearest" });
  }, [selection.s, selection.c, sentences.length]);
  const soon = (act: () => void, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, ms);
  };
  const point = (s: number, c: number, anchor: HTMLElement) => {
    if (!returning.current) soon(() => setOpened((now) => (now?.pinned ? now : { s, c, anchor, pinned: false })), OPENS_MS);
  };
  const leave = () => soon(() => setOpened((now) => (now?.pinned ? now : null)), CLOSES_MS);
  const close = () => {
    const anchor = opened?.anchor;
    setOpened(null);
    if (opened?.pinned) {
      select({ s: opened.s });
      if (anchor) giveBack(anchor);
    }
  };
  const citing = (placed: Placed): SentenceProps => ({
    placed,
    cited: citationsOf(placed.sentence, citations),
    opened,
    selected: selection.s === placed.place,
    dimmed: doubtOnly && !inDoubt(placed.sentence.support),
    point,
    leave,
    pick: (c?: number) => {
      clearTimeout(timer.current);
      const closes = opened?.pinned && opened.s === placed.place && opened.c === c;
      select(closes ? { s: placed.place } : { s: placed.place, c });
    },
  });
  const sentence = opened && sentences[opened.s - 1];
  const citation = sentence && citationsOf(sentence, citations).find((each) => each.id === opened.c);
  const first = sentences[0]?.text ?? "";
  return (
    <div ref={box} className="answer max-w-[68ch] text-[17px] leading-[1.7]" dir={directionOf(first)}>
      {blocksOf(sentences, apart).map((block) => <OneBlock key={block.rows[0]![0]!.place} block={block} citing={citing} />)}
      {opened && sentence && citation && (
        <Suspense><CitationCard
          key={`${opened.s}-${opened.c}`}
          anchor={opened.anchor}
          sentence={sentence}
          place={opened.s}
          citation={citation}
          citations={citationsOf(sentence, citations)}
          evidence={evidence}
          {...(runId && { runId })}
          modal={opened.pinned}
          close={close}
          stay={() => clearTimeout(timer.current)}
          leave={leave}
          turn={(c) => select({ s: opened.s, c })}
        /></Suspense>
      )}
    </div>
  );
}

interface SentenceProps {
  placed: Placed;
  cited: Citation[];
  opened: Opened | null;
  selected: boolean;
  dimmed: boolean;
  point: (s: number, c: number, anchor: HTMLElement) => void;
  leave: () => void;
  pick: (c?: number) => void;
}

function OneBlock({ block, citing }: { block: Block; citing: (placed: Placed) => SentenceProps }) {
  const [row] = block.rows;
  const sentences = (said: Placed[]) => said.map((placed) => <OneSentence key={placed.place} {...citing(placed)} />);
  if (block.kind === "table") return <Tables rows={block.rows.flat()} citing={citing} />;
  if (block.kind === "code") return <Code {...citing(row![0]!)} />;
  if (block.kind === "paragraph") return <p className="mb-4 last:mb-0">{sentences(row!)}</p>;
  const items = block.rows.map((said) => <li key={said[0]!.place}>{sentences(said)}</li>);
  if (block.kind === "list") return <ul className="mb-4 list-disc space-y-2 ps-5">{items}</ul>;
  return <ol className="mb-4 list-decimal space-y-2 ps-5" start={block.first}>{items}</ol>;
}

/** Rows as they stand in their table; one that is wide is scrolled sideways by itself. */
function Tables({ rows, citing }: { rows: Placed[]; citing: (placed: Placed) => SentenceProps }) {
  return tablesOf(rows).map(({ head, rows: told }) => (
    <div key={told[0]!.placed.place} className="mb-4 overflow-x-auto" role="region" tabIndex={0} aria-label={head.join(", ")}>
      <table className="border-collapse text-[15px] leading-snug">
        <thead>
          <tr>{head.map((name) => <th key={name} scope="col" className="border-b border-line-strong px-2.5 py-2 text-start align-bottom text-[13px] font-semibold text-ink-2"><Inline text={name} /></th>)}</tr>
        </thead>
        <tbody>
          {told.map(({ placed, cells }) => {
            const props = citing(placed);
            const end = cells.findLastIndex(Boolean);
            return (
              <tr key={placed.place} {...asSentence(props)}>
                {cells.map((cell, at) => (
                  <td key={at} className={`border-b border-line px-2.5 py-2 align-top ${cell.length > LONGEST_WORD ? "min-w-40" : ""}`} dir="auto">
                    {at === 0 && <MarkOf {...props} />}
                    <Inline text={cell} />
                    {at === end && <Cites {...props} />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  ));
}

function Code(props: SentenceProps) {
  return (
    <div className="mb-4">
      <MarkOf {...props} />
      <pre {...asSentence(props, "overflow-x-auto bg-sunken px-3 py-2.5 text-[14px] leading-normal")} dir="ltr" tabIndex={0}><code>{props.placed.sentence.text}</code></pre>
      <Cites {...props} />
    </div>
  );
}

function OneSentence(props: SentenceProps) {
  const { text } = props.placed.sentence;
  // The number of a source stays on the line of the word before it.
  const cut = lastWord(text);
  const [before, last] = [text.slice(0, cut), text.slice(cut)];
  return (
    <>
      <MarkOf {...props} />
      <span {...asSentence(props)}>
        <Inline text={before} />
        <span className={last.length < LONGEST_WORD ? "whitespace-nowrap" : ""}>
          <Inline text={last} />
          <Cites {...props} />
        </span>
      </span>{" "}
    </>
  );
}

/** Return what makes an element that of a sentence, which leads to its first source. */
function asSentence({ placed, cited, selected, dimmed, pick }: SentenceProps, classes = "") {
  return {
    "data-place": placed.place,
    "data-support": placed.sentence.support,
    "data-selected": selected,
    "data-dimmed": dimmed,
    className: `sentence ${classes}`,
    onClick: () => !window.getSelection()?.toString() && pick(cited[0]?.id),
  };
}

function MarkOf({ placed, cited, pick }: SentenceProps) {
  return (
    <span className="mark" onClick={() => pick(cited[0]?.id)}>
      <Mark support={placed.sentence.support} size={15} />
    </span>
  );
}

function Cites({ placed: { place }, cited, opened, point, leave, pick }: SentenceProps) {
  const text = useText();
  const press = (event: KeyboardEvent, c: number) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(c);
    }
  };
  return cited.map((citation) => (
    <button
      key={citation.id}
      type="button"
      data-cite={`${place}-${citation.id}`}
      className="cite"
      aria-label={`${text.card.label(citation.id)}: ${citation.title}`}
      aria-expanded={opened?.s === place && opened.c === citation.id}
      aria-haspopup="dialog"
      onPointerEnter={(event) => event.pointerType === "mouse" && point(place, citation.id, event.currentTarget)}
      onPointerLeave={leave}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && point(place, citation.id, event.currentTarget)}
      onBlur={leave}
      onClick={(event) => {
        event.stopPropagation();
        pick(citation.id);
      }}
      onKeyDown={(event) => press(event, citation.id)}
    >
      {citation.id}
    </button>
  ));
}

/** Put marks beside each other whose sentences begin on one line. */
function useMarksSideBySide(box: React.RefObject<HTMLDivElement | null>, drawn: unknown): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const place = () => {
      const lines = new Map<number, HTMLElement[]>();
      for (const mark of element.querySelectorAll<HTMLElement>(".mark")) {
        const line = Math.round(mark.offsetTop / 6);
        lines.set(line, [...(lines.get(line) ?? []), mark]);
      }
      for (const marks of lines.values()) {
        // There is room for two; the last one of a line begins the sentence that goes on below it.
        marks.forEach((mark, at) => mark.style.setProperty("--beside", String(at - marks.length + 2)));
      }
    };
    const observer = new ResizeObserver(place);
    observer.observe(element);
    place();
    return () => observer.disconnect();
  }, [box, drawn]);
}
