/** How an answer is laid out, and where its sentences lead. */
import type { Citation, Evidence, Report, Sentence } from "@/log/events";

export interface Placed {
  /** Its place in the answer, from 1. */
  place: number;
  sentence: Sentence;
}

export type Kind = "paragraph" | "list" | "numbered" | "table" | "code";

export interface Block {
  kind: Kind;
  /** A paragraph and a block of code are one row; a list has one for each item, a table for each of its rows. */
  rows: Placed[][];
  /** The number of the first item of a numbered list. */
  first: number;
}

const KINDS: Record<NonNullable<Sentence["opens"]>, Kind> = { paragraph: "paragraph", item: "list", numbered: "numbered", row: "table", code: "code" };
/** What is one sentence by itself, which no other continues. */
const WHOLE: readonly Kind[] = ["table", "code"];
/** What belongs to the item before it, so that a numbered list goes on after it. */
const WITHIN_ITEMS: readonly Kind[] = ["list", "code"];

/** Return the paragraphs, lists, tables and code of an answer, as its sentences open them; `apart` gives each its own. */
export function blocksOf(sentences: readonly Sentence[], apart = false): Block[] {
  const blocks: Block[] = [];
  let number = 1;
  sentences.forEach((sentence, at) => {
    const placed = { place: at + 1, sentence };
    const last = blocks.at(-1);
    // A notice about the run stands by itself.
    const notice = sentence.support === "not_a_claim" && sentence.evidence.length === 0 && !sentence.opens;
    const continues = last && !sentence.opens && !notice && !apart && !WHOLE.includes(last.kind);
    if (continues) {
      last.rows.at(-1)!.push(placed);
      return;
    }
    const kind = KINDS[sentence.opens ?? "paragraph"];
    if (last && kind === last.kind && (kind === "list" || kind === "numbered" || kind === "table")) last.rows.push([placed]);
    else blocks.push({ kind, rows: [[placed]], first: number });
    if (!WITHIN_ITEMS.includes(kind)) number = kind === "numbered" ? number + 1 : 1;
  });
  return blocks;
}

export interface Table {
  head: string[];
  /** The cells of each row, by the columns of the head; empty where it has none. */
  rows: { placed: Placed; cells: string[] }[];
}

/** Return the tables that `rows` are of, each of which says "column: value; column: value"; those that begin alike are of one. */
export function tablesOf(rows: readonly Placed[]): Table[] {
  const tables: { columns: Set<string>; rows: { placed: Placed; cells: Map<string, string> }[] }[] = [];
  for (const placed of rows) {
    const cells = cellsOf(placed.sentence.text);
    const [column] = [...cells.keys()];
    const last = tables.at(-1);
    if (last && [...last.columns][0] === column) {
      for (const name of cells.keys()) last.columns.add(name);
      last.rows.push({ placed, cells });
    } else tables.push({ columns: new Set(cells.keys()), rows: [{ placed, cells }] });
  }
  return tables.map(({ columns, rows: told }) => {
    const head = [...columns];
    return { head, rows: told.map(({ placed, cells }) => ({ placed, cells: head.map((name) => cells.get(name) ?? "") })) };
  });
}

/** What parts two fields: a value may have semicolons itself, before which no name of a column follows. */
const NEXT_FIELD = /; (?=[^;:]*(?::[^;:\s]+)*: )/;

function cellsOf(said: string): Map<string, string> {
  return new Map(
    said.replace(/\.$/, "").split(NEXT_FIELD).map((part) => {
      const at = part.indexOf(": ");
      return at < 0 ? ["", part] : [part.slice(0, at), part.slice(at + 2)];
    }),
  );
}

/** Return the citations of a sentence, in the order in which it names its evidence. */
export function citationsOf(sentence: Sentence, citations: readonly Citation[]): Citation[] {
  return sentence.evidence.flatMap((id) => citations.find((each) => each.evidence === id) ?? []);
}

/** Return the words of the sentence's own quote from the source, else the citation's. */
export function quoteFor(sentence: Sentence, citation: Citation): string {
  const own = sentence.quotes.find((quote) => quote.passage === citation.quote.passage);
  return (own ?? citation.quote).text;
}

/** Return the words of an answer without what laid them out: marks of tables, lists and headings. */
export function inOneLine(answer: string): string {
  const cells = answer.replace(/\|(?:\s*:?-{3,}:?\s*\|)+/g, "|").split(/[\s|]*\|[\s|]*/).filter(Boolean);
  return cells.join(" · ").replace(/(^|[.!?:\]]\s+)(?:[-*]|#{1,6})\s+/g, "$1").replace(/\*\*([^*]+)\*\*/g, "$1").replace(/\s+/g, " ").trim();
}

/** Return `url` where a browser may follow it, leading to `quote` in the page; else null. */
export function openable(url: string, quote = ""): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  const [page] = url.split("#:~:");
  const words = quote.split(/\s+/).filter(Boolean);
  if (words.length === 0) return page!;
  const part = (from: string[]) => encodeURIComponent(from.join(" ")).replaceAll("-", "%2D");
  const text = words.length > 12 ? `${part(words.slice(0, 5))},${part(words.slice(-5))}` : part(words);
  return `${page}${page!.includes("#") ? "" : "#"}:~:text=${text}`;
}

export interface InFolder {
  folder: string;
  /** Empty where the folder is one file. */
  path: string;
  /** The record of a table, such as `row=7`; empty for other documents. */
  place: string;
}

/** Return where a document stands that is in a folder; null for a page of the web. */
export function inFolder(url: string): InFolder | null {
  const found = /^folder:([^/#]+)(?:\/([^#]*))?(?:#(.*))?$/.exec(url);
  return found && { folder: found[1]!, path: decode(found[2] ?? ""), place: found[3]?.split(":~:")[0] ?? "" };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Return what a source is called where there is little room. */
export function siteOf(url: string): string {
  const document = inFolder(url);
  if (document) return document.path || document.folder;
  try {
    return new URL(url).hostname.replace(/^www\./, "") || url;
  } catch {
    return url;
  }
}

/** Return how many independent origins `evidence` has, and how many sources. */
export function originsOf(ids: readonly number[], evidence: ReadonlyMap<number, Evidence>): { origins: number; sources: number } {
  const pages = new Set<string>();
  const origins = new Set<number>();
  for (const id of ids) {
    const each = evidence.get(id);
    if (!each) continue;
    pages.add(each.url.split("#")[0]!);
    origins.add(each.origin ?? each.id);
  }
  return { origins: Math.min(origins.size, pages.size), sources: pages.size };
}

/** Return a sentence with its citations, ready to be pasted. */
export function withCitations(sentence: Sentence, citations: readonly Citation[]): string {
  const cited = citationsOf(sentence, citations);
  const markers = cited.map((each) => `[${each.id}]`).join("");
  return [`${sentence.text}${markers && ` ${markers}`}`, ...cited.map((each) => `[${each.id}] ${each.title}. ${each.location || each.url}`)].join("\n");
}

/** Return a line of a document without the marks of a list or a row; no figure in it passes for a citation. */
export function plainLine(line: string): string {
  return inOneLine(line.replace(/^[-*+•>\s]+/, "")).replace(/\[(\s*\d[\d\s,;–-]*)\]/g, "($1)");
}

/** A word, or a figure with the signs that part its digits. */
const WORD = /[\p{L}\p{N}]+(?:[.,]\p{N}+)*/u;
const WORDS = new RegExp(WORD, "gu");
const WORDS_KEPT = new RegExp(`(${WORD.source})`, "u");
/** Words that most sentences share; a figure of one digit may be what is asked for. */
const SKIPPED = /^\p{L}{1,2}$/u;

/** Split `quote` into stretches that share a word with `sentence` and those that do not. */
export function shared(quote: string, sentence: string): { text: string; shared: boolean }[] {
  const words = new Set(wordsOf(sentence).filter((word) => !SKIPPED.test(word)));
  const parts: { text: string; shared: boolean }[] = [];
  for (const piece of quote.split(WORDS_KEPT)) {
    if (!piece) continue;
    const is = words.has(piece.toLowerCase());
    const last = parts.at(-1);
    if (last && (last.shared === is || (last.shared && /^\s+$/.test(piece)))) last.text += piece;
    else parts.push({ text: piece, shared: is });
  }
  return parts.map((part) => part);
}

function wordsOf(text: string): string[] {
  return (text.match(WORDS) ?? []).map((word) => word.toLowerCase());
}

/** What the page calls the parts of a copied answer. */
export interface Named {
  tabs: { sources: string };
  look: string;
  lookWhy: string;
}

/** Return a report's answer with its sources below, by the numbers that it cites them by, ready to be pasted. */
export function withSources(report: Report, named: Named): string {
  const sources = report.citations.map((each) => `[${each.id}] ${each.title}. ${each.location || each.url}`);
  return [report.answer, sources.join("\n"), ...looked(report, named)].filter(Boolean).join("\n\n");
}

/** Return a report's answer as Markdown, with its sources below. */
export function asMarkdown(report: Report, named: Named): string {
  const sources = report.citations.map((each) => `${each.id}. ${each.title}. ${each.location || each.url}`);
  return [`# ${report.question}`, report.answer, sources.length ? `## ${named.tabs.sources}\n\n${sources.join("\n")}` : "", ...looked(report, named)].filter(Boolean).join("\n\n");
}

/** Return where to look for what nothing answers, ready to be pasted; nothing where something does. */
function looked(report: Report, named: Named): string[] {
  const places = report.nearest ?? [];
  if (places.length === 0) return [];
  const lines = places.map((each) => `- ${[each.title, each.heading].filter(Boolean).join(", ")} (${each.location}): ${plainLine(each.line.text)}`);
  return [`${named.look}. ${named.lookWhy}`, lines.join("\n")];
}

/** What the service names in the place of a model where none has joined the quotes. */
export const EXTRACTIVE = "extractive";

/**
 * Return what to ask of what stays open: the part of the question that it names, without what is said of it in the
 * language of the question. Else a model has said what is missing; what is said without one is nothing to ask.
 */
export function askable(gap: string, { checklist, synthesis }: Pick<Report, "checklist" | "synthesis">): string | null {
  const named = checklist.items.map((item) => item.description).filter((part) => gap.includes(part));
  if (named.length > 0) return named.reduce((longest, part) => (part.length > longest.length ? part : longest));
  return synthesis.model === EXTRACTIVE ? null : gap;
}
