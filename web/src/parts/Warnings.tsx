/** What went wrong without ending the run; each is told once, in the order in which it came. */
import { TriangleAlert } from "lucide-react";
import { useText } from "@/i18n";
import type { RunWarning } from "@/log/events";

export function Warnings({ warnings, titled = false }: { warnings: readonly RunWarning[]; titled?: boolean }) {
  const text = useText();
  if (warnings.length === 0) return titled ? null : <p className="py-4 text-ink-2">{text.report.noWarnings}</p>;
  return (
    <section>
      {titled && <h2 className="eyebrow mb-2">{text.live.warnings}</h2>}
      <ul className="space-y-2" data-warnings>
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
    </section>
  );
}
