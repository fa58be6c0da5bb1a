/** How a run is followed: what a page that draws slowly is spared, and that nothing is lost by it. */
import { afterEach, expect, it, vi } from "vitest";
import { RunFeed } from "./feed";

const encoder = new TextEncoder();

/** A run whose events come when the test says so. */
function served() {
  let wire!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => { wire = controller; } });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } })));
  const send = (...told: object[]) => wire.enqueue(encoder.encode(told.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("")));
  return { send, close: () => wire.close() };
}

const read = (seq: number) => ({
  type: "source_read", seq, at: "", run_id: "run-1", topic: "", loop: 1, sources_considered: seq, sources_read: seq,
  url: `https://a.example/${seq}`, final_url: "", title: `Page ${seq}`, status: "ok", reason: "", passages: 1, bytes: 1, seconds: 0, retrieved_at: "", provider: "x",
});
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("takes a connection for lost that says nothing any more, and goes on where it was", async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let wire!: ReadableStreamDefaultController<Uint8Array>;
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url.replace(/.*\?/, ""));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => { wire = controller; } });
    return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
  });
  const feed = new RunFeed("run-1");
  const stop = feed.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  wire.enqueue(encoder.encode(`data: ${JSON.stringify(read(1))}\n\n`));
  for (let pings = 0; pings < 4; pings += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    wire.enqueue(encoder.encode(": ping\n\n"));
  }
  expect(asked).toEqual(["after=0"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(["after=0", "after=1"]);
  stop();
});

it("draws a busy run rarely where drawing takes long, and shows all of it", async () => {
  const { send } = served();
  const feed = new RunFeed("run-1");
  const drawn = new Set<number>();
  const stop = feed.subscribe(() => {
    const { seq } = feed.snapshot().view;
    if (drawn.has(seq)) return;
    drawn.add(seq);
    for (const until = performance.now() + 30; performance.now() < until; );
  });
  for (let seq = 1; seq <= 30; seq += 1) {
    send(read(seq));
    await pause(60);
  }
  await expect.poll(() => feed.snapshot().view.seq, { timeout: 5_000 }).toBe(30);
  // One drawing for each event would be 30; the pause after one is at least 450 ms, of 1,800.
  expect(drawn.size).toBeLessThan(10);
  expect(feed.snapshot().view.sources.size).toBe(30);
  stop();
});

it("does not keep a long log waiting that it catches up with", async () => {
  const { send } = served();
  const feed = new RunFeed("run-1");
  const drawn: number[] = [];
  const stop = feed.subscribe(() => drawn.push(feed.snapshot().view.seq));
  for (let first = 1; first <= 3_000; first += 300) send(...Array.from({ length: 300 }, (_, at) => read(first + at)));
  await expect.poll(() => feed.snapshot().view.seq, { timeout: 5_000 }).toBe(3_000);
  expect(new Set(drawn).size).toBeLessThan(10);
  stop();
});
