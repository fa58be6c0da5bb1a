/** Small charts. Each says its figures in text, so that nobody has to read them off the picture. */
import { dayIn, useText } from "@/i18n";

interface Row {
  name: string;
  value: number;
  shown: string;
}

/** One bar a row, the longest as wide as there is room. */
export function Bars({ rows }: { rows: Row[] }) {
  const most = Math.max(...rows.map((row) => row.value), Number.MIN_VALUE);
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5 text-[13px]">
      {rows.map((row) => (
        <div key={row.name} className="contents">
          <dt className="text-ink-2">{row.name}</dt>
          <dd className="h-1.5 rounded-full bg-sunken" aria-hidden>
            <span className="block h-full min-w-0.5 rounded-full bg-accent" style={{ width: `${(100 * row.value) / most}%` }} />
          </dd>
          <dd className="num text-end text-ink-3">{row.shown}</dd>
        </div>
      ))}
    </dl>
  );
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Return the last days in UTC, as in `2031-05-04`. */
function lastDays(): string[] {
  return Array.from({ length: DAYS }, (_, at) => new Date(Date.now() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10));
}

interface Part {
  value: number;
  /** The class of its colour. */
  tone: string;
}

interface Stack extends Row {
  /** What its value is made of, from the ground up; left out where it is one thing. */
  parts?: Part[];
}

/** One column for each of the last 30 days; rows are named by their days. */
export function Columns({ label, rows: known }: { label: string; rows: Stack[] }) {
  const { code } = useText();
  const said = (name: string | undefined) => name && dayIn(name, code);
  const byDay = new Map(known.map((row) => [row.name, row]));
  const rows = lastDays().map((name): Stack => byDay.get(name) ?? { name, value: 0, shown: "0" });
  const highest = rows.reduce((one, other) => (other.value > one.value ? other : one));
  const most = Math.max(highest.value, Number.MIN_VALUE);
  const width = 100 / rows.length;
  return (
    <figure>
      <figcaption className="mb-2 flex justify-between gap-3 text-[13px] text-ink-2">
        {label}
        {highest.value > 0 && <span className="num text-ink-3" aria-hidden>{highest.shown}</span>}
      </figcaption>
      <div dir="ltr">
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" className="h-24 w-full text-accent" role="img" aria-label={`${label}: ${known.map((row) => `${said(row.name)} ${row.shown}`).join(", ")}`}>
        {rows.map((row, at) => {
          let ground = 40;
          return (
            <g key={row.name}>
              <title>{`${said(row.name)}: ${row.shown}`}</title>
              {(row.parts ?? [{ value: row.value, tone: "" }]).map(({ value, tone }, part) => {
                const height = (38 * value) / most;
                ground -= height;
                return <rect key={part} x={at * width + width * 0.12} width={width * 0.76} y={ground} height={height} rx="0.6" fill="currentColor" className={tone} />;
              })}
            </g>
          );
        })}
        <path d="M0 39.8H100" stroke="var(--line)" strokeWidth="0.4" />
      </svg>
      <div className="num mt-1 flex justify-between text-[12px] text-ink-3" aria-hidden>
        <span>{said(rows[0]?.name)}</span>
        <span>{said(rows.at(-1)?.name)}</span>
      </div>
      </div>
    </figure>
  );
}
