/** What went wrong without ending the run; each is told once, in the order in which it first came. */
import { TriangleAlert } from "lucide-react";
import { useText } from "@/i18n";
import type { RunWarning } from "@/log/events";
import { retold } from "@/log/reasons";
import { type Told, byMessage } from "@/log/warnings";
import { inFolder } from "./answer";

/** Warnings that stand open while a run goes on; an outage brings one for each service. */
const SHOWN = 3;

export function Warnings({ warnings, titled = false }: { warnings: readonly RunWarning[]; titled?: boolean }) {
  const text = useText();
  if (warnings.length === 0) return titled ? null : <p className="py-4 text-ink-2">{text.report.noWarnings}</p>;
  const told = byMessage(warnings);
  const [first, more] = titled ? [told.slice(0, SHOWN), told.slice(SHOWN)] : [told, []];
  return (
    <section data-warnings>
      {titled && <h2 className="eyebrow mb-2">{text.live.warnings}</h2>}
      <List told={first} />
      {more.length > 0 && (
        <details className="mt-2">
          <summary className="py-1 text-[14px] text-ink-2">{text.common.further(more.length)}</summary>
          <List told={more} />
        </details>
      )}
    </section>
  );
}

function List({ told }: { told: readonly Told[] }) {
  return (
    <ul className="space-y-2">
      {told.map((each, at) => (
        <li key={at} className="flex gap-2.5 text-[14px]">
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-part" aria-hidden />
          <Warning {...each} />
        </li>
      ))}
    </ul>
  );
}

/** Return how people call what a warning is about: a document by its path, without the id of its folder. */
function named(subject: string): string {
  return inFolder(subject)?.path || subject;
}

function Warning({ message: said, subjects }: Told) {
  const text = useText();
  const message = retold(said, text.warnings);
  if (subjects.length < 2) {
    return (
      <span className="min-w-0 break-words">
        {subjects.map((subject) => <span key={subject} className="font-medium" dir="auto">{named(subject)}: </span>)}
        {message}
      </span>
    );
  }
  return (
    <div className="min-w-0 break-words">
      {message}
      <details>
        <summary className="num py-0.5 text-[13px] text-ink-2">{text.common.times(subjects.length)}</summary>
        <ul className="space-y-0.5 text-[13px] text-ink-2">
          {subjects.map((subject, at) => <li key={at} dir="auto">{named(subject)}</li>)}
        </ul>
      </details>
    </div>
  );
}
