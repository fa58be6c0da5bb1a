/** Where to look for what nothing answers: no answer, and nothing that is cited. */
import { useText } from "@/i18n";
import type { Report } from "@/log/events";
import { placed } from "@/log/places";
import { plainLine, siteOf } from "./answer";
import { OpenLink } from "./OpenLink";

interface NearestProps {
  /** None in a report that was written before there were any. */
  places: Report["nearest"] | undefined;
  /** The run that they are of, whose documents may be opened; none for who only has a link. */
  runId?: string;
}

export function Nearest({ places = [], runId }: NearestProps) {
  const text = useText();
  if (places.length === 0) return null;
  return (
    <section className="mt-7 rounded-xl border border-line px-5 py-4" aria-label={text.report.look}>
      <h2 className="text-[15px] font-semibold">{text.report.look}</h2>
      <p className="mt-1 text-[14px] text-ink-2">{text.report.lookWhy}</p>
      <ul className="mt-3 space-y-3">
        {places.map(({ title, heading, url, locator, line }) => (
          <li key={`${url} ${line.start}`} className="text-[14px] break-words" dir="auto">
            <OpenLink url={url} quote={line.text} run={runId} className="text-accent underline underline-offset-2" otherwise={<span>{title}</span>}>{title}</OpenLink>
            {heading && <span className="text-ink-2"> · {heading}</span>}
            <span className="block text-[13px] text-ink-3">{[siteOf(url), placed(locator, text.places)].filter(Boolean).join(", ")}</span>
            <span className="mt-0.5 block text-ink-2">{plainLine(line.text)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
