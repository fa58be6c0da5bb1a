/** What went wrong without ending the run; each is told once, in the order in which it came. */
import { TriangleAlert } from "lucide-react";
import { useText } from "@/i18n";
import type { RunWarning } from "@/log/events";

/** Warnings that stand open while a run goes on; an outage brings one for each service and query. */
const SHOWN = 3;

export function Warnings({ warnings, titled = false }: { warnings: readonly RunWarning[]; titled?: boolean }) {
  const text = useText();
  if (warnings.length === 0) return titled ? null : <p className="py-4 text-ink-2">{text.report.noWarnings}</p>;
  const [first, more] = titled ? [warnings.slice(0, SHOWN), warnings.slice(SHOWN)] : [warnings, []];
  return (
    <section data-warnings>
      {titled && <h2 className="eyebrow mb-2">{text.live.warnings}</h2>}
      <List warnings={first} />
      {more.length > 0 && (
        <details className="mt-2">
          <summary className="py-1 text-[14px] text-ink-2">{text.common.further(more.length)}</summary>
          <List warnings={more} />
        </details>
      )}
    </section>
  );
}

function List({ warnings }: { warnings: readonly RunWarning[] }) {
  return (
    <ul className="space-y-2">
      {warnings.map((warning) => (
        <li key={`${warning.kind}\n${warning.subject}\n${warning.message}`} className="flex gap-2.5 text-[14px]">
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-part" aria-hidden />
          <span className="min-w-0 break-words">
            {warning.subject && <span className="font-medium" dir="auto">{warning.subject}: </span>}
            {warning.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
