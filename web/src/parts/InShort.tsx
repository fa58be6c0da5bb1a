/** The answer in a few words, where it has any that are not a sentence of it. */
import { percent, useText } from "@/i18n";
import type { Report } from "@/log/events";

export function InShort({ direct }: { direct: Report["direct"] }) {
  const text = useText();
  if (!direct.text || ["sentence", "none"].includes(direct.kind)) return null;
  return (
    <div className="tinted mb-6 rounded-xl bg-accent-soft px-5 py-4">
      <p className="eyebrow">{text.report.direct}</p>
      <p className="mt-0.5 text-[21px] leading-snug font-semibold [text-align:match-parent]" dir="auto">{direct.text}</p>
      <p className="num mt-1 text-[13px] text-ink-2">{text.report.sure(percent(direct.confidence, text.code))}</p>
    </div>
  );
}
