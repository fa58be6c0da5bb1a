/** The log itself, for those who want to see it. */
import { useMemo, useRef, useState } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useText } from "@/i18n";
import type { RunEvent } from "@/log/events";
import { CopyButton } from "./CopyButton";

const ROW_PX = 34;

export function RawEvents({ events, open, toggle }: { events: readonly RunEvent[]; open: boolean; toggle: (open: boolean) => void }) {
  const text = useText();
  return (
    <details className="mt-10 border-t border-line pt-4" open={open} onToggle={(event) => event.currentTarget.open !== open && toggle(event.currentTarget.open)}>
      <summary className="font-medium">
        {text.trace.events} <span className="num text-ink-3">{events.length}</span>
      </summary>
      {open && <List events={events} />}
    </details>
  );
}

function List({ events }: { events: readonly RunEvent[] }) {
  const text = useText();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<RunEvent | null>(null);
  const shown = useMemo(() => {
    const wanted = words.toLowerCase();
    return wanted ? events.filter((event) => JSON.stringify(event).toLowerCase().includes(wanted)) : events;
  }, [events, words]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => ROW_PX, overscan: 12 });
  return (
    <div className="mt-3 grid gap-4 lg:grid-cols-2">
      <div className="min-w-0">
        <input className="field mb-2" placeholder={text.trace.filter} aria-label={text.trace.filter} value={words} onChange={(event) => setWords(event.target.value)} />
        <div ref={box} className="card h-96 overflow-auto" tabIndex={0} aria-label={text.trace.events} role="group">
          <div className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((row) => {
              const event = shown[row.index]!;
              return (
                <button
                  key={event.seq}
                  type="button"
                  className={`absolute inset-x-0 top-0 flex items-center gap-3 px-3 text-start text-[13px] ${event === chosen ? "bg-accent-soft" : "hover:bg-sunken"}`}
                  style={{ height: ROW_PX, transform: `translateY(${row.start}px)` }}
                  onClick={() => setChosen(event)}
                >
                  <span className="num w-10 shrink-0 text-end text-ink-3">{event.seq}</span>
                  <span className="font-mono">{event.type}</span>
                  <span className="min-w-0 truncate text-ink-3">{event.topic}</span>
                </button>
              );
            })}
          </div>
        </div>
      </div>
      {chosen && (
        <div className="min-w-0">
          <div className="mb-2"><CopyButton content={() => JSON.stringify(chosen, null, 2)} /></div>
          <pre className="card h-96 overflow-auto p-3 font-mono text-[12px]" tabIndex={0}>{JSON.stringify(chosen, null, 2)}</pre>
        </div>
      )}
    </div>
  );
}
