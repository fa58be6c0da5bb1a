/** Claim → quote → page → query: select anything, and its whole chain lights up both ways. */
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import { FileText, Pause, Play, SkipForward, X } from "lucide-react";
import { directionOf, useText } from "@/i18n";
import { type Chain, type ChainNode, type LinkKind, bearingOf, chainOf, litBy } from "@/log/chain";
import { placed } from "@/log/places";
import { reduceAll } from "@/log/reduce";
import { useFollowed } from "@/log/useRun";
import type { RunView } from "@/log/view";
import { Dropped } from "@/parts/Dropped";
import { Inline } from "@/parts/Inline";
import { Question } from "@/parts/Question";
import { useKeys } from "@/parts/keys";
import { Mark } from "@/parts/Mark";
import { RawEvents } from "@/parts/RawEvents";
import { Page } from "@/parts/Shell";
import { siteOf } from "@/parts/answer";
import { Failed, Loading } from "@/parts/states";

const route = getRouteApi("/runs/$id/trace");
const KINDS: LinkKind[] = ["claim", "quote", "page", "query"];
const STEP_MS = 350;

export default function TraceScreen() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const text = useText();
  const { view: whole, events, link, error } = useFollowed(id);
  const at = search.at && search.at < events.length ? search.at : events.length;
  const view = useMemo(() => (at === events.length ? whole : reduceAll(events.slice(0, at))), [events, whole, at]);
  const chain = useMemo(() => chainOf(view), [view]);
  const lit = useMemo(() => (search.node && chain.nodes.has(search.node) ? litBy(chain, search.node) : null), [chain, search.node]);
  const set = (change: Partial<typeof search>) =>
    void navigate({ to: ".", search: (now: typeof search) => ({ ...now, ...change }), replace: true, resetScroll: false });
  useKeys({ Escape: () => set({ node: undefined }) });
  if (link === "refused" && error) return <Failed error={error} />;
  if (events.length === 0) return <Page title={text.trace.title}><Loading rows={8} /></Page>;
  return (
    <Page title={text.trace.title} wide>
      <header className="mb-5">
        <p className="mb-1 text-[13px]">
          <Link to="/runs/$id" params={{ id }} className="inline-flex items-center gap-1.5 font-medium text-accent">
            <FileText size={15} aria-hidden />
            {text.trace.report}
          </Link>
        </p>
        <Question question={whole.question} readAs={whole.readAs} className="text-[21px]" />
        <p className="mt-1 text-[14px] text-ink-2">{text.trace.lead}</p>
      </header>
      <Replay at={at} last={events.length} view={view} go={(to) => set({ at: to >= events.length ? undefined : to })} />
      <p className="num mb-3 flex min-h-9 items-center gap-2 text-[14px] text-ink-2" role="status">
        {lit && (
          <>
            {text.trace.lit(...(KINDS.map((kind) => [...lit].filter((each) => each.startsWith(`${kind}:`)).length) as [number, number, number, number]))}
            <button type="button" className="no-print btn btn-quiet" onClick={() => set({ node: undefined })}>
              <X size={15} aria-hidden />
              {text.trace.clear}
            </button>
          </>
        )}
      </p>
      <Columns view={view} chain={chain} lit={lit} selected={search.node} select={(node) => set({ node: node === search.node ? undefined : node })} />
      {view.report && <Dropped sentences={view.report.dropped} />}
      <RawEvents events={events} open={search.raw === true} toggle={(open) => set({ raw: open || undefined })} />
    </Page>
  );
}

interface ColumnsProps {
  view: RunView;
  chain: Chain;
  lit: ReadonlySet<string> | null;
  selected: string | undefined;
  select: (node: string) => void;
}

function Columns({ view, chain, lit, selected, select }: ColumnsProps) {
  const text = useText();
  const names = { claim: text.trace.claims, quote: text.trace.quotes, page: text.trace.pages, query: text.trace.queries };
  const box = useRef<HTMLDivElement>(null);
  const bearing = useMemo(() => bearingOf(chain), [chain]);
  return (
    <div ref={box} className="relative grid gap-x-9 gap-y-6 md:grid-cols-2 xl:grid-cols-[1.25fr_1.25fr_1fr_1fr]">
      <Lines box={box} chain={chain} lit={lit} />
      {KINDS.map((kind) => {
        const nodes = [...chain.nodes.values()].filter((node) => node.kind === kind);
        // What is lit comes first, so that a chain can be followed without scrolling.
        const ordered = lit ? nodes.toSorted((a, b) => Number(lit.has(b.id)) - Number(lit.has(a.id))) : nodes;
        const leads = (node: ChainNode) => kind === "claim" || kind === "quote" || bearing.size === 0 || bearing.has(node.id) || lit?.has(node.id) === true;
        const [shown, folded] = [ordered.filter(leads), ordered.filter((node) => !leads(node))];
        const list = (these: ChainNode[]) => (
          <ul className="space-y-2">
            {these.map((node) => (
              <li key={node.id}>
                <button
                  type="button"
                  data-node={node.id}
                  data-lit={lit ? lit.has(node.id) : undefined}
                  aria-pressed={node.id === selected}
                  onClick={() => select(node.id)}
                  className={`relative w-full rounded-lg border px-3 py-2 text-start text-[13.5px] leading-snug transition-colors ${
                    lit?.has(node.id)
                      ? "border-accent bg-accent-soft"
                      : `border-line bg-surface hover:border-line-strong ${lit ? "text-ink-3" : ""}`
                  }`}
                >
                  <NodeBody node={node} view={view} />
                </button>
              </li>
            ))}
          </ul>
        );
        return (
          <section key={kind} className="min-w-0" data-column={kind}>
            <h2 className="eyebrow mb-2">
              {names[kind]} <span className="num font-normal">{nodes.length}</span>
            </h2>
            {nodes.length === 0 && <p className="text-[14px] text-ink-3">{text.trace.nothing}</p>}
            {list(shown)}
            {folded.length > 0 && (
              <details className="mt-2" open={shown.length === 0}>
                <summary className="py-1.5 text-[13px] text-ink-3">{text.trace.more(folded.length)}</summary>
                <div className="mt-1">{list(folded)}</div>
              </details>
            )}
          </section>
        );
      })}
    </div>
  );
}

function NodeBody({ node, view }: { node: ChainNode; view: RunView }) {
  const text = useText();
  if (node.kind === "claim" && node.sentence) {
    return (
      <span className="flex gap-2" dir={directionOf(node.label)}>
        <span className="mt-0.5 shrink-0"><Mark support={node.sentence.support} size={15} /></span>
        <span className="min-w-0 break-words"><Inline text={node.label} /></span>
      </span>
    );
  }
  if (node.kind === "quote") {
    return (
      <>
        <span className="line-clamp-6 break-words" dir={directionOf(node.label)}>“{node.label}”</span>
        {node.evidence?.locator && <span className="mt-1 block text-[12px] text-ink-3">{placed(node.evidence.locator, text.places)}</span>}
      </>
    );
  }
  if (node.kind === "page") {
    const source = view.sources.get(node.id.slice("page:".length));
    return (
      <>
        <span className="block font-medium break-words" dir={directionOf(node.label)}>{node.label}</span>
        {source && (
          <span className="mt-0.5 block truncate text-[12px] text-ink-3">
            {siteOf(source.url)} · {text.source[source.state]}
          </span>
        )}
      </>
    );
  }
  const searches = view.searches.filter((search) => search.query === node.label);
  return (
    <>
      <span className="block break-words" dir={directionOf(node.label)}>{node.label}</span>
      <span className="num mt-0.5 block text-[12px] text-ink-3">
        {[...new Set(searches.map((search) => search.provider))].join(", ")}
        {searches[0] && ` · ${text.live.loop(searches[0].loop, 0)} · ${text.live.hits(Math.max(...searches.map((search) => search.hits)), searches.reduce((sum, search) => sum + search.fresh, 0))}`}
      </span>
    </>
  );
}

/** Lines between what is lit, drawn behind the columns where they stand side by side. */
function Lines({ box, chain, lit }: { box: React.RefObject<HTMLDivElement | null>; chain: Chain; lit: ReadonlySet<string> | null }) {
  const [paths, setPaths] = useState<string[]>([]);
  useEffect(() => {
    const element = box.current;
    if (!element || !lit) {
      setPaths([]);
      return;
    }
    const draw = () => {
      const origin = element.getBoundingClientRect();
      const at = (id: string) => element.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect();
      const drawn: string[] = [];
      for (const [from, tos] of chain.forward) {
        for (const to of tos) {
          const [right, left] = lit.has(from) && lit.has(to) ? [at(from), at(to)] : [undefined, undefined];
          // On a phone the columns stand below each other, and lines would only be in the way.
          if (!right || !left || Math.abs(right.left - left.left) < 40) continue;
          const forward = right.left > left.left;
          if ((forward ? right.left - left.right : left.left - right.right) > 90) continue;
          const x1 = (forward ? left.right : left.left) - origin.left;
          const x2 = (forward ? right.left : right.right) - origin.left;
          const y1 = Math.min(left.top + left.height / 2, left.top + 40) - origin.top;
          const y2 = Math.min(right.top + right.height / 2, right.top + 40) - origin.top;
          const middle = (x1 + x2) / 2;
          drawn.push(`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`);
        }
      }
      setPaths(drawn);
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, chain, lit]);
  return (
    <svg className="pointer-events-none absolute inset-0 hidden size-full text-accent xl:block" aria-hidden>
      {paths.map((path) => <path key={path} d={path} fill="none" stroke="currentColor" strokeOpacity="0.55" strokeWidth="1.5" />)}
    </svg>
  );
}

function Replay({ at, last, view, go }: { at: number; last: number; view: RunView; go: (at: number) => void }) {
  const text = useText();
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => go(at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const play = () => {
    if (!playing && at >= last) go(1);
    setPlaying(!playing);
  };
  const what = view.phase ? text.phases[view.phase] : "";
  return (
    <div className="no-print mb-2 flex items-center gap-2" role="group" aria-label={text.trace.replay}>
      <button type="button" className="btn size-9 p-0" aria-label={playing ? text.trace.pause : text.trace.play} onClick={play}>
        {playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </button>
      <input
        type="range"
        min={1}
        max={last}
        value={at}
        className="h-9 w-40 min-w-0 accent-accent sm:w-72"
        aria-label={text.trace.replay}
        aria-valuetext={text.trace.at(at, last, what)}
        onChange={(event) => go(Number(event.target.value))}
      />
      <span className="num min-w-0 truncate text-[13px] text-ink-3">{text.trace.at(at, last, what)}</span>
      {at < last && (
        <button type="button" className="btn btn-quiet" onClick={() => go(last)} aria-label={text.trace.end}>
          <SkipForward size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
