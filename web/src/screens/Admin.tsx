/** What those see who run the service: what waits, who works, and what it takes. */
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { type DayQuality, type DayUsage, type QueuedRun, data, service } from "@/api/client";
import { isMissing } from "@/api/kept";
import { ago, dollars, useText } from "@/i18n";
import { Bars, Columns } from "@/parts/charts";
import { SUPPORTS, Verdicts, toneOf } from "@/parts/Mark";
import { Page } from "@/parts/Shell";
import { Empty, Failed, Loading } from "@/parts/states";
import { Section } from "@/parts/Section";

const EVERY_MS = 5_000;

export default function AdminScreen() {
  const text = useText();
  const queue = useQuery({ queryKey: ["queue"], queryFn: () => data(service.GET("/v1/admin/queue")), refetchInterval: EVERY_MS, retry: false });
  const workers = useQuery({ queryKey: ["workers"], queryFn: () => data(service.GET("/v1/admin/workers")), refetchInterval: EVERY_MS, retry: false });
  const usage = useQuery({ queryKey: ["usage", "all"], queryFn: () => data(service.GET("/v1/admin/usage")), retry: false });
  const quality = useQuery({ queryKey: ["quality"], queryFn: () => data(service.GET("/v1/admin/quality")), retry: false });
  if (queue.error) {
    return (
      <Page title={text.admin.title}>
        {isMissing(queue.error) ? <Empty title={text.states.notServed} /> : <Failed error={queue.error} retry={() => void queue.refetch()} />}
      </Page>
    );
  }
  const runs = queue.data?.runs ?? [];
  const counts = [
    [text.admin.waiting, runs.filter((run) => run.status === "pending").length],
    [text.admin.running, runs.filter((run) => run.status === "in_progress").length],
    [text.admin.workers, workers.data?.workers.length ?? 0],
  ] as const;
  return (
    <Page title={text.admin.title} wide>
      <h1 className="mb-6 text-2xl font-semibold tracking-tight">{text.admin.title}</h1>
      {queue.isPending ? <Loading rows={6} /> : (
        <div className="space-y-10">
          <dl className="grid grid-cols-3 gap-3">
            {counts.map(([name, count]) => (
              <div key={name} className="card flex flex-col-reverse justify-end p-4">
                <dt className="text-[13px] text-ink-2">{name}</dt>
                <dd className="num text-2xl font-semibold">{count}</dd>
              </div>
            ))}
          </dl>
          <Section title={text.admin.queue}>{runs.length === 0 ? <p className="text-ink-2">{text.admin.noJobs}</p> : <Queue runs={runs} />}</Section>
          <Section title={text.admin.workers}>
            {workers.data?.workers.length ? (
              <ul className="divide-y divide-line text-[14px]">
                {workers.data.workers.map((worker) => (
                  <li key={worker.name} className="flex flex-wrap gap-x-4 py-2">
                    <span className="min-w-0 flex-1 font-mono text-[13px] break-all">{worker.name}</span>
                    <span className="num">{worker.runs}</span>
                    <span className="text-ink-3">{text.admin.lease(ago(worker.lease_until, text.code))}</span>
                  </li>
                ))}
              </ul>
            ) : <p className="text-ink-2">{text.admin.noWorkers}</p>}
          </Section>
          {usage.data && usage.data.days.length > 0 && <Usage days={usage.data.days} />}
          {quality.data && quality.data.days.length > 0 && <Quality days={quality.data.days} />}
        </div>
      )}
    </Page>
  );
}

function Queue({ runs }: { runs: QueuedRun[] }) {
  const text = useText();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={text.admin.queue}>
      <table className="w-full text-[14px]">
        <thead>
          <tr className="border-b border-line text-[13px] text-ink-3">
            {[text.admin.job, text.admin.state, text.admin.user, text.admin.attempts, text.admin.worker].map((name) => <th key={name} className="py-2 pe-4 text-start font-medium">{name}</th>)}
          </tr>
        </thead>
        <tbody className="num">
          {runs.map((run) => (
            <tr key={run.run_id} className="border-b border-line last:border-0">
              <td className="py-2 pe-4"><Link to="/runs/$id" params={{ id: run.run_id }} className="font-mono text-[13px] text-accent">{run.run_id.slice(0, 8)}</Link> <span className="text-ink-3">{ago(run.queued_at, text.code)}</span></td>
              <td className="py-2 pe-4">{text.runs.status[run.status]}</td>
              <td className="py-2 pe-4">{run.owner.user}</td>
              <td className="py-2 pe-4">{run.attempts}</td>
              <td className="py-2 pe-4 font-mono text-[13px]">{run.worker ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Usage({ days }: { days: DayUsage[] }) {
  const text = useText();
  const sum = (field: "runs" | "tokens" | "cost_usd", by: (day: DayUsage) => string) => {
    const sums = new Map<string, number>();
    for (const day of days) sums.set(by(day), (sums.get(by(day)) ?? 0) + day[field]);
    return [...sums].map(([name, value]) => ({ name, value, shown: field === "cost_usd" ? dollars(value, text.code) : value.toLocaleString(text.code) }));
  };
  const byDay = (field: "runs" | "tokens" | "cost_usd") => sum(field, (day) => day.day).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <Section title={text.settings.usage}>
      <div className="grid gap-9 md:grid-cols-2">
        <Columns label={text.admin.runsPerDay} rows={byDay("runs")} />
        <Columns label={text.admin.costPerDay} rows={byDay("cost_usd")} />
        <div>
          <h3 className="mb-2 text-[13px] text-ink-2">{text.admin.users}</h3>
          <Bars rows={sum("runs", (day) => day.owner.user).toSorted((a, b) => b.value - a.value).slice(0, 12)} />
        </div>
      </div>
    </Section>
  );
}

type Counts = Record<string, number>;

/** Add up what each day has counted under a name. */
function summed(days: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const day of days) for (const [name, count] of Object.entries(day)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

const total = (counts: Counts) => Object.values(counts).reduce((sum, each) => sum + each, 0);
/** The verdicts that a chart shows, the good ones at its ground. */
const JUDGED = SUPPORTS.filter((support) => support !== "not_a_claim");

/** How runs went day by day: how long they took, what their checks found, and which searches failed. */
function Quality({ days }: { days: DayQuality[] }) {
  const text = useText();
  const number = (value: number) => value.toLocaleString(text.code);
  const asked = summed(days.map((day) => day.searches));
  const failed = summed(days.map((day) => day.failed_searches));
  const providers = Object.keys(failed).toSorted((a, b) => failed[b]! - failed[a]!);
  const verdicts = days.map(({ day, verdicts: counts }) => {
    const parts = JUDGED.map((support) => ({ value: counts[support] ?? 0, tone: toneOf(support) }));
    const shown = JUDGED.filter((support) => counts[support]).map((support) => `${number(counts[support]!)} ${text.verdict[support]}`);
    return { name: day, value: parts.reduce((sum, part) => sum + part.value, 0), shown: shown.join(", ") || "0", parts };
  });
  return (
    <Section title={text.admin.quality}>
      <div className="grid gap-9 md:grid-cols-2">
        <Columns
          label={text.admin.secondsPerDay}
          rows={days.map((day) => ({ name: day.day, value: day.seconds_median, shown: text.admin.latency(text.common.seconds(day.seconds_median), text.common.seconds(day.seconds_p95)) }))}
        />
        <div>
          <Columns label={text.admin.verdictsPerDay} rows={verdicts} />
          <div className="mt-2"><Verdicts counts={summed(days.map((day) => day.verdicts))} /></div>
        </div>
        <Columns label={text.admin.failuresPerDay} rows={days.map((day) => ({ name: day.day, value: total(day.failed_searches), shown: number(total(day.failed_searches)) }))} />
        <div>
          <h3 className="mb-2 text-[13px] text-ink-2">{text.admin.failuresBy}</h3>
          {providers.length === 0 ? <p className="text-[14px] text-ink-2">{text.admin.noFailures}</p> : (
            <Bars rows={providers.map((name) => ({ name, value: failed[name]!, shown: text.common.of(number(failed[name]!), number(asked[name] ?? failed[name]!)) }))} />
          )}
        </div>
      </div>
    </Section>
  );
}
