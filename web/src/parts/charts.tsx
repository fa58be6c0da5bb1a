/** Small charts. Each says its figures in text, so that nobody has to read them off the picture. */
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

/** One column a day. */
export function Columns({ label, rows }: { label: string; rows: Row[] }) {
  const most = Math.max(...rows.map((row) => row.value), Number.MIN_VALUE);
  const width = 100 / Math.max(1, rows.length);
  return (
    <figure>
      <figcaption className="mb-2 text-[13px] text-ink-2">{label}</figcaption>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" className="h-28 w-full text-accent" role="img" aria-label={`${label}: ${rows.map((row) => `${row.name} ${row.shown}`).join(", ")}`}>
        {rows.map((row, at) => {
          const height = (38 * row.value) / most;
          return (
            <rect key={row.name} x={at * width + width * 0.12} width={width * 0.76} y={40 - height} height={height} rx="0.6" fill="currentColor">
              <title>{`${row.name}: ${row.shown}`}</title>
            </rect>
          );
        })}
        <path d="M0 39.8H100" stroke="var(--line)" strokeWidth="0.4" />
      </svg>
      <div className="num mt-1 flex justify-between text-[12px] text-ink-3" aria-hidden>
        <span>{rows[0]?.name}</span>
        <span>{rows.at(-1)?.name}</span>
      </div>
    </figure>
  );
}
