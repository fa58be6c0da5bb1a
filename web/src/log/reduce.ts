/**
 * The heart of the page: a pure function from the events of a run to what is shown of it.
 *
 * An event that was seen before changes nothing, so a log may be read again from anywhere; an
 * event of a kind that is not known moves on the place in the log and nothing else.
 */
import type { Evidence, EventOf, ReadStatus, RunEvent } from "./events";
import { type RunView, type Source, type SourceState, type Stay, NOTHING_YET, pageKey } from "./view";

const READABLE: ReadonlySet<ReadStatus> = new Set<ReadStatus>(["ok", "provided"]);

/**
 * The collections that a reduction has made itself and may go on changing until it returns.
 *
 * Each is copied once for all events that come together: a long log that is caught up with takes
 * time in proportion to its length, and not to the square of it.
 */
class Own {
  readonly #made = new Set<object>();

  map<Key, Value>(map: ReadonlyMap<Key, Value>): Map<Key, Value> {
    return this.#made.has(map) ? (map as Map<Key, Value>) : this.#add(new Map(map));
  }

  list<Each>(list: readonly Each[], ...more: Each[]): Each[] {
    const own = this.#made.has(list) ? (list as Each[]) : this.#add([...list]);
    own.push(...more);
    return own;
  }

  #add<Collection extends object>(made: Collection): Collection {
    this.#made.add(made);
    return made;
  }
}

function secondsBetween(from: string, to: string): number {
  const passed = (new Date(to).getTime() - new Date(from).getTime()) / 1_000;
  return passed > 0 ? passed : 0;
}

/** Return `view` once `event` has happened. */
export function reduce(view: RunView, event: RunEvent): RunView {
  return step(view, event, new Own());
}

function step(view: RunView, event: RunEvent, own: Own): RunView {
  if (event.seq <= view.seq) return view;
  const now: RunView = {
    ...view,
    seq: event.seq,
    runId: event.run_id || view.runId,
    lastAt: event.at || view.lastAt,
    considered: Math.max(view.considered, event.sources_considered),
    read: Math.max(view.read, event.sources_read),
    topics: withTopic(view.topics, event.topic),
  };
  switch (event.type) {
    case "run_started":
      return started(now, event);
    case "index_progress":
      return { ...now, indexing: event, phase: "indexing" };
    case "phase_started":
      return entered(now, event, own);
    case "plan_made":
      return planned(now, event);
    case "search_finished":
      return searched(now, event, own);
    case "source_read":
      return opened(now, event, own);
    case "evidence_collected":
      return collected(now, event, own);
    case "model_called":
      return { ...now, calls: own.list(now.calls, event.call) };
    case "evaluated":
      return evaluated(now, event, own);
    case "sentence_drafted":
      return { ...now, drafts: own.list(now.drafts, event.text) };
    case "sentence_written":
      return { ...now, written: own.list(now.written, { text: event.text, sentence: event.sentence }) };
    case "verified":
      return { ...now, checks: event.checks, drafts: [] };
    case "inquiry_raised":
      return { ...now, status: "asking", inquiry: event.inquiry };
    case "inquiry_answered":
      return { ...now, status: "running", inquiry: null, waited: now.waited + secondsBetween(view.lastAt, event.at) };
    case "warning_raised":
      return { ...now, warnings: withWarning(now.warnings, event) };
    case "run_finished":
      return finished(now, event, own);
    case "run_failed":
      return failed(now, event, own);
    default:
      return now;
  }
}

/** Return what `events`, in their order, add up to. */
export function reduceAll(events: Iterable<RunEvent>, from: RunView = NOTHING_YET): RunView {
  const own = new Own();
  let view = from;
  for (const event of events) view = step(view, event, own);
  return view;
}

function started(now: RunView, event: EventOf<"run_started">): RunView {
  return {
    ...now,
    status: "running",
    question: event.question,
    readAs: event.read_as ?? "",
    profile: event.profile,
    budget: event.budget,
    startedAt: event.at,
  };
}

function entered(now: RunView, event: EventOf<"phase_started">, own: Own): RunView {
  const stay: Stay = {
    phase: event.phase,
    loop: event.loop,
    maxLoops: event.max_loops,
    topic: event.topic,
    message: event.message,
    considered: event.sources_considered,
    read: event.sources_read,
    at: event.at,
    endedAt: "",
  };
  return {
    ...now,
    // A run that was interrupted goes on with its next phase.
    status: "running",
    failure: null,
    phase: event.phase,
    loop: Math.max(now.loop, event.loop),
    maxLoops: event.max_loops || now.maxLoops,
    remaining: event.remaining,
    stays: own.list(ended(now.stays, event.topic, event.at, own), stay),
    // What is written anew, as after an interruption, takes the place of what was there before.
    ...(event.phase === "synthesizing" && !event.topic && { drafts: [], written: [] }),
  };
}

/** End the stays that are open, those of one `topic` or all. */
function ended(stays: Stay[], topic: string | null, at: string, own: Own): Stay[] {
  const now = own.list(stays);
  for (let place = now.length - 1; place >= 0; place -= 1) {
    const stay = now[place]!;
    if (topic !== null && stay.topic !== topic) continue;
    // Of one topic only the last can be open.
    if (!stay.endedAt) now[place] = { ...stay, endedAt: at };
    if (topic !== null) break;
  }
  return now;
}

function planned(now: RunView, event: EventOf<"plan_made">): RunView {
  if (event.topic) return now;
  return { ...now, checklist: event.checklist.items };
}

function searched(now: RunView, event: EventOf<"search_finished">, own: Own): RunView {
  const sources = own.map(now.sources);
  const foundAs = own.map(now.foundAs);
  for (const found of event.found) {
    const key = pageKey(found.url);
    foundAs.set(found.id, key);
    const source = sources.get(key) ?? newSource(key, found.url, event);
    sources.set(key, { ...source, title: source.title || found.title, provider: source.provider || found.provider });
  }
  const keys = [...event.found.map((found) => found.id), ...event.known].map((id) => foundAs.get(id));
  for (const key of new Set(keys)) {
    const source = key === undefined ? undefined : sources.get(key);
    if (source && !source.queries.includes(event.query)) {
      sources.set(source.key, { ...source, queries: [...source.queries, event.query] });
    }
  }
  const { seq, query, intent, provider, hits, fresh, seconds, retries, error, at, topic, loop } = event;
  const search = { seq, query, intent, provider, hits, fresh, seconds, retries, error, at, topic, loop };
  return { ...now, sources, foundAs, searches: own.list(now.searches, search) };
}

function newSource(key: string, url: string, event: RunEvent): Source {
  return {
    key,
    url,
    title: "",
    provider: "",
    site: "unknown",
    state: "found",
    readStatus: null,
    reason: "",
    queries: [],
    passages: 0,
    bytes: 0,
    seconds: 0,
    retrievedAt: "",
    loop: event.loop,
    topic: event.topic,
  };
}

function opened(now: RunView, event: EventOf<"source_read">, own: Own): RunView {
  const sources = own.map(now.sources);
  const key = pageKey(event.url);
  // Evidence and citations name the page by the address at which its redirects ended.
  const last = pageKey(event.final_url) || key;
  const source = sources.get(key) ?? newSource(key, event.url, event);
  sources.set(last, {
    ...source,
    key: last,
    url: event.final_url || event.url,
    title: event.title || source.title,
    provider: source.provider || event.provider,
    state: reached(source.state, READABLE.has(event.status) ? "read" : "refused"),
    readStatus: event.status,
    reason: event.reason,
    passages: event.passages,
    bytes: event.bytes,
    seconds: event.seconds,
    retrievedAt: event.retrieved_at,
  });
  if (last === key) return { ...now, sources };
  sources.delete(key);
  const foundAs = own.map(now.foundAs);
  for (const [id, page] of foundAs) if (page === key) foundAs.set(id, last);
  return { ...now, sources, foundAs };
}

const ORDER: Record<SourceState, number> = { found: 0, refused: 1, read: 2, cited: 3 };

function reached(before: SourceState, after: SourceState): SourceState {
  return ORDER[after] > ORDER[before] ? after : before;
}

function collected(now: RunView, event: EventOf<"evidence_collected">, own: Own): RunView {
  const { evidence, sources } = withEvidence(now, event.added, own);
  for (const change of event.rescored) {
    const old = evidence.get(change.id);
    if (old) {
      const score = { ...old.score, total: change.total, weighed: change.weighed };
      evidence.set(change.id, { ...old, score });
    }
  }
  if (event.topic) return { ...now, evidence, sources };
  return { ...now, evidence, sources, selected: event.selected, pool: event.pool };
}

/** Take in `added`; a source that lent a passage has been read, although no fetch told so. */
function withEvidence(now: RunView, added: Evidence[], own: Own) {
  const evidence = own.map(now.evidence);
  const sources = own.map(now.sources);
  for (const each of added) {
    evidence.set(each.id, each);
    const key = pageKey(each.url);
    const known = sources.get(key);
    const source = known ?? { ...newSource(key, each.url, NO_EVENT), loop: each.iteration };
    sources.set(key, {
      ...source,
      title: source.title || each.title,
      site: each.site,
      state: reached(source.state, "read"),
    });
  }
  return { evidence, sources };
}

const NO_EVENT = { loop: 0, topic: "" } as RunEvent;

function evaluated(now: RunView, event: EventOf<"evaluated">, own: Own): RunView {
  const items = event.checklist.items;
  const verdict = {
    loop: event.loop,
    topic: event.topic,
    coverage: event.coverage,
    confidence: event.confidence,
    gaps: event.gaps,
    nextQueries: event.next_queries,
    stopReason: event.stop_reason ?? null,
    reason: event.reason,
    at: event.at,
    satisfied: items.filter((item) => item.status === "satisfied").length,
    items: items.length,
  };
  const verdicts = own.list(now.verdicts, verdict);
  // A topic is one line of inquiry of several: its checklist is not the run's.
  if (event.topic) return { ...now, verdicts };
  return { ...now, verdicts, checklist: items, gaps: event.gaps, coverage: event.coverage };
}

function withWarning(warnings: RunView["warnings"], event: EventOf<"warning_raised">) {
  const { warning } = event;
  const told = warnings.some(
    (each) => each.kind === warning.kind && each.subject === warning.subject && each.message === warning.message,
  );
  return told ? warnings : [...warnings, warning];
}

function finished(now: RunView, event: EventOf<"run_finished">, own: Own): RunView {
  const { report } = event;
  const { evidence, sources } = withEvidence(now, report.evidence, own);
  for (const citation of report.citations) {
    const key = pageKey(citation.url);
    const source = sources.get(key) ?? newSource(key, citation.url, event);
    sources.set(key, {
      ...source,
      title: source.title || citation.title,
      state: "cited",
      retrievedAt: source.retrievedAt || citation.retrieved_at,
    });
  }
  return {
    ...now,
    status: "finished",
    stays: ended(now.stays, null, event.at, own),
    evidence,
    sources,
    report,
    checklist: report.checklist.items,
    gaps: report.gaps,
    checks: report.checks,
    warnings: report.warnings,
    calls: report.calls,
    drafts: [],
    inquiry: null,
  };
}

function failed(now: RunView, event: EventOf<"run_failed">, own: Own): RunView {
  return {
    ...now,
    status: "failed",
    stays: ended(now.stays, null, event.at, own),
    inquiry: null,
    failure: { type: event.error_type, message: event.message, retryable: event.retryable },
  };
}

function withTopic(topics: string[], topic: string): string[] {
  return topic && !topics.includes(topic) ? [...topics, topic] : topics;
}
