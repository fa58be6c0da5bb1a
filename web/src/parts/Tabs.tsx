/** Panels of which one is shown; arrow keys go from one to the next. */
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

interface Tab {
  id: string;
  name: string;
  count: number;
  body: ReactNode;
}

export function Tabs({ tabs, chosen, choose }: { tabs: Tab[]; chosen: string; choose: (id: string) => void }) {
  const name = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(0, tabs.findIndex((tab) => tab.id === chosen));
  const press = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" className="no-print flex gap-0.5 overflow-x-auto overflow-y-hidden border-b border-line" onKeyDown={press}>
        {tabs.map((tab, place) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${name}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={place === at}
            aria-controls={`${name}-panel`}
            tabIndex={place === at ? 0 : -1}
            className={`-mb-px border-b-2 px-1.5 py-2.5 text-[13px] whitespace-nowrap ${place === at ? "border-accent font-medium text-ink" : "border-transparent text-ink-2 hover:text-ink"}`}
            onClick={() => choose(tab.id)}
          >
            {tab.name}
            {tab.count > 0 && <> <span className="num text-[12px] text-ink-3">{tab.count}</span></>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-${tabs[at]!.id}`}>
        {tabs[at]!.body}
      </div>
    </>
  );
}
