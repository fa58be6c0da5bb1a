/** What was written and taken out again, with the reason for it. */
import { useText } from "@/i18n";
import type { Sentence } from "@/log/events";
import { retold } from "@/log/reasons";
import { Inline } from "./Inline";
import { Mark } from "./Mark";

export function Dropped({ sentences }: { sentences: readonly Sentence[] }) {
  const text = useText();
  if (sentences.length === 0) return null;
  return (
    <details className="mt-5 text-[14px]">
      <summary className="font-medium text-ink-2">{text.report.droppedTitle} ({sentences.length})</summary>
      <ul className="mt-2 space-y-2">
        {sentences.map((sentence, at) => (
          <li key={at} className="flex gap-2.5">
            <span className="mt-1"><Mark support={sentence.support} size={14} /></span>
            <span className="min-w-0 text-ink-2"><s className="decoration-ink-3"><Inline text={sentence.text} /></s> {retold(sentence.reason, text.reasons)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
