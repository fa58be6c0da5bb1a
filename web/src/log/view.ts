/** What the events of a run add up to for a person who looks at it. */
import type {
  Budget,
  Checks,
  Evidence,
  EventOf,
  Inquiry,
  Item,
  ModelCall,
  Phase,
  ProfileName,
  ReadStatus,
  Remaining,
  Report,
  RunWarning,
  Sentence,
  SiteKind,
  StopReason,
} from "./events";

export type RunStatus = "waiting" | "running" | "asking" | "finished" | "failed";

/** A stay in one phase, from entering it until the next phase of its topic begins. */
export interface Stay {
  phase: Phase;
  loop: number;
  maxLoops: number;
  topic: string;
  message: string;
  considered: number;
  read: number;
  at: string;
  endedAt: string;
}

export interface Search {
  seq: number;
  query: string;
  intent: string;
  provider: string;
  hits: number;
  fresh: number;
  seconds: number;
  retries: number;
  error: string;
  at: string;
  topic: string;
  loop: number;
}

/** How far a source has come; each state takes the place of those before it. */
export type SourceState = "found" | "read" | "refused" | "cited";

export interface Source {
  /** Canonical address without the place inside it; what tells sources apart. */
  key: string;
  url: string;
  title: string;
  provider: string;
  site: SiteKind;
  state: SourceState;
  readStatus: ReadStatus | null;
  reason: string;
  /** The queries that found it, each once. */
  queries: string[];
  passages: number;
  bytes: number;
  seconds: number;
  retrievedAt: string;
  loop: number;
  topic: string;
}

export interface Verdict {
  loop: number;
  topic: string;
  coverage: number;
  confidence: number;
  gaps: string[];
  nextQueries: string[];
  stopReason: StopReason | null;
  reason: string;
  at: string;
  /** Checklist items answered by then, of all. */
  satisfied: number;
  items: number;
}

export interface Written {
  text: string;
  sentence: Sentence;
}

export interface Failure {
  type: string;
  message: string;
  retryable: boolean;
}

export interface RunView {
  status: RunStatus;
  seq: number;
  runId: string;
  question: string;
  /** A follow-up question as it was understood, said as a whole. */
  readAs: string;
  profile: ProfileName | null;
  budget: Budget | null;
  remaining: Remaining | null;
  startedAt: string;
  lastAt: string;
  /** Seconds that it waited for replies, while its clock stood still. */
  waited: number;
  phase: Phase | null;
  loop: number;
  maxLoops: number;
  considered: number;
  read: number;
  stays: Stay[];
  indexing: EventOf<"index_progress"> | null;
  checklist: Item[];
  gaps: string[];
  coverage: number;
  searches: Search[];
  sources: ReadonlyMap<string, Source>;
  /** Keys of sources by the ids under which searches name them. */
  foundAs: ReadonlyMap<string, string>;
  evidence: ReadonlyMap<number, Evidence>;
  selected: number[];
  pool: number;
  verdicts: Verdict[];
  drafts: string[];
  written: Written[];
  checks: Checks | null;
  calls: ModelCall[];
  inquiry: Inquiry | null;
  warnings: RunWarning[];
  topics: string[];
  report: Report | null;
  failure: Failure | null;
}

export const NOTHING_YET: RunView = {
  status: "waiting",
  seq: 0,
  runId: "",
  question: "",
  readAs: "",
  profile: null,
  budget: null,
  remaining: null,
  startedAt: "",
  lastAt: "",
  waited: 0,
  phase: null,
  loop: 0,
  maxLoops: 0,
  considered: 0,
  read: 0,
  stays: [],
  indexing: null,
  checklist: [],
  gaps: [],
  coverage: 0,
  searches: [],
  sources: new Map(),
  foundAs: new Map(),
  evidence: new Map(),
  selected: [],
  pool: 0,
  verdicts: [],
  drafts: [],
  written: [],
  checks: null,
  calls: [],
  inquiry: null,
  warnings: [],
  topics: [],
  report: null,
  failure: null,
};

/** Return the address of a page, without the place inside it. */
export function pageKey(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Return whether nothing more will come of the run. */
export function isOver(view: RunView): boolean {
  return view.status === "finished" || view.status === "failed";
}

/** Return what the model calls have cost so far, in dollars. */
export function spentUsd(view: RunView): number {
  return view.calls.reduce((sum, call) => sum + (call.cost_usd ?? 0), 0);
}

/** Return the tokens used so far: by the budget where it tells, else by the calls. */
export function spentTokens(view: RunView): number {
  if (view.report) return view.report.spend.tokens;
  if (view.budget && view.remaining) return view.budget.token_budget - view.remaining.tokens;
  return view.calls.reduce((sum, call) => sum + call.usage.prompt_tokens + call.usage.completion_tokens, 0);
}

/** Return the sentences of the answer in order, with the notices about the run among them. */
export function sentencesOf(view: RunView): Sentence[] {
  const told = view.written.map((each) => each.sentence);
  return told.length > 0 ? told : (view.report?.sentences ?? []);
}
