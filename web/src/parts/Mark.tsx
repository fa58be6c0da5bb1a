/** The mark of a verdict: told by its shape and its name, and by its colour only besides. */
import { useText } from "@/i18n";
import type { Support } from "@/log/events";

const TONES: Record<Support, string> = {
  quoted: "text-good",
  supported: "text-good",
  partly_supported: "text-part",
  contradicted: "text-bad",
  not_judged: "text-unsure",
  not_a_claim: "text-ink-3",
};

export const SUPPORTS = Object.keys(TONES) as Support[];

/** Return whether a reader should look twice at a sentence with this verdict. */
export function inDoubt(support: Support): boolean {
  return support === "partly_supported" || support === "contradicted" || support === "not_judged";
}

export function toneOf(support: Support): string {
  return TONES[support];
}

const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 1.6, strokeLinecap: "round", strokeLinejoin: "round" } as const;

const SHAPES: Record<Support, React.ReactNode> = {
  quoted: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M5.2 9.6c0-1.9.6-3 1.9-3.7M9 9.6c0-1.9.6-3 1.9-3.7" {...stroke} stroke="var(--surface)" />
    </>
  ),
  supported: (
    <>
      <circle cx="8" cy="8" r="6.2" {...stroke} />
      <path d="m5.3 8.2 1.9 1.9 3.6-4" {...stroke} />
    </>
  ),
  partly_supported: (
    <>
      <circle cx="8" cy="8" r="6.2" {...stroke} />
      <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
    </>
  ),
  contradicted: (
    <>
      <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2Z" fill="currentColor" />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" {...stroke} stroke="var(--surface)" />
    </>
  ),
  not_judged: (
    <>
      <circle cx="8" cy="8" r="6.2" {...stroke} strokeDasharray="2.4 2.4" />
      <path d="M6.3 6.4c.2-1 .9-1.5 1.8-1.5 1 0 1.8.7 1.8 1.6 0 1.3-1.8 1.4-1.8 2.6m0 1.9v.1" {...stroke} />
    </>
  ),
  not_a_claim: <path d="M4.5 8h7" {...stroke} />,
};

interface MarkProps {
  support: Support;
  size?: number;
  /** Whether its name is written after it. */
  named?: boolean;
  /** Whether its name is written by somebody else. */
  hidden?: boolean;
}

export function Mark({ support, size = 16, named = false, hidden = named }: MarkProps) {
  const text = useText();
  return (
    <span className={`inline-flex items-center gap-1.5 ${TONES[support]}`} title={text.verdict.means[support]}>
      <svg viewBox="0 0 16 16" width={size} height={size} role="img" aria-label={text.verdict[support]} aria-hidden={hidden || undefined}>
        {SHAPES[support]}
      </svg>
      {named && <span className="font-medium">{text.verdict[support]}</span>}
    </span>
  );
}

type Counts = Partial<Record<Support, number>>;

const told = (counts: Counts) => SUPPORTS.filter((each) => counts[each] && each !== "not_a_claim");

/** How many sentences have each verdict, in words. */
export function Verdicts({ counts }: { counts: Counts }) {
  const text = useText();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
      {told(counts).map((each) => (
        <li key={each} className="inline-flex items-center gap-1.5" title={text.verdict.means[each]}>
          <Mark support={each} size={14} hidden />
          <span className="num font-medium">{counts[each]}</span>
          <span className="text-ink-2">{text.verdict[each]}</span>
        </li>
      ))}
    </ul>
  );
}

/** The same as one bar and in words. */
export function VerdictBar({ counts }: { counts: Counts }) {
  const shown = told(counts);
  if (shown.length === 0) return null;
  return (
    <div className="max-w-sm">
      <div className="flex h-1.5 gap-0.5 overflow-hidden rounded-full" aria-hidden>
        {shown.map((each) => (
          <span key={each} className={`${TONES[each]} bg-current`} style={{ flexGrow: counts[each] }} />
        ))}
      </div>
      <div className="mt-2"><Verdicts counts={counts} /></div>
    </div>
  );
}

/** Return how many of `sentences` have each verdict. */
export function counted(sentences: readonly { support: Support }[]): Counts {
  const counts: Counts = {};
  for (const { support } of sentences) counts[support] = (counts[support] ?? 0) + 1;
  return counts;
}
