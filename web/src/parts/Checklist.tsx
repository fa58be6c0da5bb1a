/** What a complete answer needs, filling as the run goes: progress is what is still unknown. */
import { useText } from "@/i18n";
import type { Item, ItemStatus } from "@/log/events";

export function Checklist({ items }: { items: readonly Item[] }) {
  const text = useText();
  if (items.length === 0) return <p className="text-[14px] text-ink-3">{text.live.noChecklist}</p>;
  return (
    <ul className="space-y-2.5">
      {items.map((item) => (
        <li key={item.id} className="flex items-start gap-2.5 text-[14px]">
          <Filling status={item.status} />
          <span dir="auto" className={`min-w-0 ${item.status === "satisfied" ? "text-ink" : "text-ink-2"}`}>
            {item.description}
            <span className="sr-only">, {text.live.status[item.status]}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Filling({ status }: { status: ItemStatus }) {
  const tone = { satisfied: "text-good", partial: "text-part", unsatisfied: "text-ink-3" }[status];
  return (
    <svg viewBox="0 0 16 16" width={17} height={17} className={`mt-0.5 shrink-0 ${tone}`} aria-hidden>
      <circle cx="8" cy="8" r="6.5" fill={status === "satisfied" ? "currentColor" : "none"} stroke="currentColor" strokeWidth="1.5" />
      {status === "partial" && <path d="M8 1.5a6.5 6.5 0 0 1 0 13Z" fill="currentColor" />}
      {status === "satisfied" && (
        <path d="m5 8.3 2 2 4-4.4" fill="none" stroke="var(--surface)" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
      )}
    </svg>
  );
}
