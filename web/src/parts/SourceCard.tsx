/** A source, as far as it has come: found, read, not read, cited. */
import { memo } from "react";
import { directionOf, useText } from "@/i18n";
import type { Source } from "@/log/view";
import { OpenLink } from "./OpenLink";
import { siteOf } from "./answer";

const TONES = { found: "text-ink-3", read: "text-ink-2", refused: "text-bad", cited: "text-good" } as const;

interface SourceCardProps {
  source: Source;
  /** The numbers of its citations. */
  numbers?: number[] | undefined;
  /** The run that it is a source of, and its question. */
  run?: string;
  question?: string;
}

/** Return the first letter of `name`; a figure would look like the number of a citation. */
function letterOf(name: string): string {
  return /\p{L}/u.exec(name)?.[0] ?? "?";
}

/** Drawn again only when its source has come further: a busy run tells of others all the time. */
export const SourceCard = memo(function SourceCard({ source, numbers, run, question = "" }: SourceCardProps) {
  const text = useText();
  const site = siteOf(source.url);
  const title = source.title || site;
  const refused = source.state === "refused";
  return (
    <article className="flex gap-3 py-3" data-source={source.state}>
      <span
        aria-hidden
        className="num grid size-8 shrink-0 place-items-center rounded-lg bg-sunken text-[13px] leading-tight font-semibold text-ink-2 uppercase"
      >
        {numbers ? numbers.slice(0, 2).join(" ") + (numbers.length > 2 ? "…" : "") : letterOf(site + title)}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-[14px] leading-snug font-medium break-words [text-align:match-parent]" dir={directionOf(title)}>
          <OpenLink url={source.url} run={run} className="text-ink hover:text-accent hover:underline" otherwise={title}>{title}</OpenLink>
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-1.5 text-[13px] text-ink-3">
          <span className="max-w-full truncate">{site}</span>
          {source.site !== "unknown" && <span>· {text.site[source.site]}</span>}
          <span className={TONES[source.state]}>
            · {refused && source.readStatus ? text.source.statuses[source.readStatus] : text.source[source.state]}
          </span>
        </p>
        {refused && source.reason && <p className="mt-0.5 text-[13px] text-bad">{source.reason}</p>}
        {source.queries[0] && source.queries[0] !== question && (
          <p className="mt-0.5 truncate text-[13px] text-ink-3" title={source.queries.join("\n")} dir="auto">
            {text.source.by(source.queries[0])}
          </p>
        )}
      </div>
    </article>
  );
});
