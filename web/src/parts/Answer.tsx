/**
 * An answer, sentence by sentence: what each is worth stands in the margin, and its sources open
 * beside it. It is drawn from data alone; nothing that a page or a model wrote is ever markup.
 */
import { type KeyboardEvent, Suspense, lazy, useEffect, useLayoutEffect, useRef, useState } from "react";
import { directionOf, useText } from "@/i18n";
import type { Citation, Evidence, Sentence } from "@/log/events";
import { type Placed, blocksOf, citationsOf } from "./answer";
import { Inline, lastWord } from "./Inline";
import { Mark, inDoubt } from "./Mark";

// Whoever watches a run cannot open a source yet.
const CitationCard = lazy(() => import("./CitationCard"));

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
    if (s && !c) box.current?.querySelector(`[data-place="${s}"]`)?.scrollIntoView?.({ block: "nearest" });
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
  const citing = (placed: Placed) => ({
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
      {blocksOf(sentences, apart).map((block) => {
        const key = block.rows[0]![0]!.place;
        if (block.kind === "paragraph") {
          return <p key={key} className="mb-4 last:mb-0">{block.rows[0]!.map((placed) => <OneSentence key={placed.place} {...citing(placed)} />)}</p>;
        }
        const List = block.kind === "numbered" ? "ol" : "ul";
        return (
          <List key={key} className={`mb-4 space-y-2 ps-5 ${block.kind === "numbered" ? "list-decimal" : "list-disc"}`}>
            {block.rows.map((row) => (
              <li key={row[0]!.place}>{row.map((placed) => <OneSentence key={placed.place} {...citing(placed)} />)}</li>
            ))}
          </List>
        );
      })}
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

function OneSentence({ placed, cited, opened, selected, dimmed, point, leave, pick }: SentenceProps) {
  const text = useText();
  const { place, sentence } = placed;
  // The number of a source stays on the line of the word before it.
  const cut = lastWord(sentence.text);
  const [before, last] = [sentence.text.slice(0, cut), sentence.text.slice(cut)];
  const press = (event: KeyboardEvent, c: number) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(c);
    }
  };
  return (
    <>
      <span className="mark" onClick={() => pick(cited[0]?.id)}>
        <Mark support={sentence.support} size={15} />
      </span>
      <span
        data-place={place}
        data-support={sentence.support}
        data-selected={selected}
        data-dimmed={dimmed}
        className="sentence"
        onClick={() => !window.getSelection()?.toString() && pick(cited[0]?.id)}
      >
        <Inline text={before} />
        <span className={last.length < LONGEST_WORD ? "whitespace-nowrap" : ""}>
          <Inline text={last} />
          {cited.map((citation) => {
            const open = opened?.s === place && opened.c === citation.id;
            return (
              <button
                key={citation.id}
                type="button"
                data-cite={`${place}-${citation.id}`}
                className="cite"
                aria-label={`${text.card.label(citation.id)}: ${citation.title}`}
                aria-expanded={open}
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
            );
          })}
        </span>
      </span>{" "}
    </>
  );
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
