/**
 * Follows the log of one run and keeps what it adds up to.
 *
 * Lost connections are taken up again after the last event that was seen. Events that come close
 * together are drawn together: how long to wait for more follows from how long the last drawing took.
 */
import { createParser } from "eventsource-parser";
import { reach, ServiceError, Unreachable } from "@/api/client";
import { pause } from "@/api/pause";
import type { RunEvent } from "./events";
import { reduceAll } from "./reduce";
import { type RunView, NOTHING_YET, isOver } from "./view";

export type Link = "connecting" | "live" | "offline" | "over" | "refused";

export interface Followed {
  view: RunView;
  events: readonly RunEvent[];
  link: Link;
  /** How many runs go before it, from 0; null once it has begun. */
  queued: number | null;
  /** The number of the run's last event, where the service has told; more are on their way. */
  lastSeq: number;
  /** How the run ended, as the service names it; empty while it goes on. */
  ended: string;
  error: Error | null;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The service says something every 15 s at least: a connection that says nothing for so long is dead, and nothing else tells. */
const SILENT_MS = 45_000;
const FRAME_MS = 40;
/** The next drawing waits so many times as long as the last one took: whoever reads may scroll meanwhile. */
const WAIT_SHARE = 15;
const LONGEST_PAUSE_MS = 1_000;
/** So many events at once are a log that is being caught up with, which nobody reads before it is there. */
const CAUGHT_UP_WITH = 100;

export class RunFeed {
  #now: Followed = {
    view: NOTHING_YET,
    events: [],
    link: "connecting",
    queued: null,
    lastSeq: 0,
    ended: "",
    error: null,
  };
  #events: RunEvent[] = [];
  #listeners = new Set<() => void>();
  #waiting: RunEvent[] = [];
  #drawing = false;
  /** When to draw next, by the clock of the page. */
  #nextDraw = 0;
  #stop: AbortController | null = null;

  constructor(readonly runId: string) {}

  /** Return what is known now; the same object until something changes. */
  readonly snapshot = (): Followed => this.#now;

  /** Follow the run as long as anybody listens. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#stop) void this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) {
        this.#stop?.abort();
        this.#stop = null;
      }
    };
  };

  /** Follow anew: a run that had ended has been resumed. */
  again(): void {
    this.#stop?.abort();
    this.#set({ ended: "", link: "connecting" });
    void this.#follow();
  }

  async #follow(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    // What was refused before somebody signed in again is no longer true.
    if (this.#now.link === "refused") this.#set({ link: "connecting", error: null });
    let wait = FIRST_WAIT_MS;
    while (!stop.signal.aborted) {
      const before = this.#seen;
      try {
        await this.#read(stop.signal);
        if (this.#now.ended || (isOver(this.#now.view) && this.#now.view.status === "finished")) {
          this.#set({ link: "over" });
          return;
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof ServiceError && !error.retryable && error.status < 500) {
          this.#set({ link: "refused", error });
          return;
        }
        this.#set({ link: "offline" });
      }
      if (this.#seen > before) wait = FIRST_WAIT_MS;
      await pause(wait, stop.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  get #seen(): number {
    return this.#waiting.at(-1)?.seq ?? this.#now.view.seq;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const url = `/v1/runs/${encodeURIComponent(this.runId)}/events?after=${this.#seen}`;
    const response = await reach(url, { headers: { Accept: "text/event-stream" }, signal });
    this.#set({ link: "live", error: null });
    const parser = createParser({ onEvent: ({ event, data }) => this.#take(event ?? "", data) });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await heard(reader); !part.done; part = await heard(reader)) parser.feed(part.value);
    this.#draw();
  }

  #take(kind: string, data: string): void {
    const said = JSON.parse(data) as Record<string, unknown>;
    // What the service itself says carries no number and is no part of the log.
    if (kind === "queued") this.#set({ queued: said.position as number });
    else if (kind === "end") {
      this.#draw();
      this.#set({ ended: said.status as string, lastSeq: said.last_seq as number, queued: null });
    } else if (kind === "error") throw new Error(said.message as string);
    else if (typeof said.seq === "number") {
      this.#waiting.push(said as unknown as RunEvent);
      if (!this.#drawing) {
        this.#drawing = true;
        setTimeout(() => this.#draw(), Math.max(FRAME_MS, this.#nextDraw - performance.now()));
      }
    }
  }

  #draw(): void {
    this.#drawing = false;
    const fresh = this.#waiting.filter((event) => event.seq > this.#now.view.seq);
    this.#waiting = [];
    if (fresh.length === 0) return;
    this.#events = this.#events.concat(fresh);
    const begun = performance.now();
    this.#set({ view: reduceAll(fresh, this.#now.view), events: this.#events, queued: null });
    const share = fresh.length > CAUGHT_UP_WITH ? 1 : WAIT_SHARE;
    onceDrawn(() => {
      const now = performance.now();
      this.#nextDraw = now + Math.min(LONGEST_PAUSE_MS, share * (now - begun));
    });
  }

  #set(change: Partial<Followed>): void {
    this.#now = { ...this.#now, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Return what `reader` reads next; one that stays silent is given up. */
async function heard(reader: ReadableStreamDefaultReader<string>): Promise<ReadableStreamReadResult<string>> {
  let timer: ReturnType<typeof setTimeout>;
  const silent = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new Unreachable());
      void reader.cancel();
    }, SILENT_MS);
  });
  return Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
}

/** Call `then` once what was changed has been laid out and painted. */
function onceDrawn(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}

const KEPT = 4;
const feeds = new Map<string, RunFeed>();

/** Return the feed of a run, which its report, its trace and its log share. */
export function feedOf(runId: string): RunFeed {
  const feed = feeds.get(runId) ?? new RunFeed(runId);
  feeds.delete(runId);
  feeds.set(runId, feed);
  for (const [old, each] of feeds) {
    if (feeds.size <= KEPT || each === feed) break;
    feeds.delete(old);
  }
  return feed;
}
