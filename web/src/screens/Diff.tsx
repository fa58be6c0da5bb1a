/** Two runs side by side, by their claims and not by their characters. */
import { Link, getRouteApi } from "@tanstack/react-router";
import { diffWords } from "diff";
import { useDiff, useReport } from "@/api/queries";
import type { Comparison } from "@/api/client";
import { directionOf, useText } from "@/i18n";
import type { Report, Sentence } from "@/log/events";
import { type ClaimChange, type ClaimPair, pairClaims } from "@/log/compare";
import { siteOf } from "@/parts/answer";
import { Inline } from "@/parts/Inline";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Shell";
import { Banner, Failed, Loading } from "@/parts/states";

const route = getRouteApi("/runs/$first/diff/$second");
const ORDER: ClaimChange[] = ["verdict", "gone", "added", "reworded", "same"];

export default function DiffScreen() {
  const { first, second } = route.useParams();
  const text = useText();
  const diff = useDiff(first, second);
  const reports = [first, second].map((id) => useReport(`/v1/runs/${encodeURIComponent(id)}/report`));
  if (diff.error) return <Failed error={diff.error} retry={() => void diff.refetch()} />;
  if (!diff.data || reports.some((report) => report.isPending)) return <Page title={text.diff.title}><Loading rows={8} /></Page>;
  const [one, other] = reports.map((report) => report.data);
  return (
    <Page title={text.diff.title} wide>
      <h1 className="mb-5 text-2xl font-semibold tracking-tight">{text.diff.title}</h1>
      <div className="mb-7 grid grid-cols-1 gap-3 md:grid-cols-2">
        <Head id={first} name={text.diff.first} question={diff.data.questions[0]} report={one} />
        <Head id={second} name={text.diff.second} question={diff.data.questions[1]} report={other} />
      </div>
      {one && other ? <Claims one={one} other={other} /> : <Banner tone="part">{text.diff.noReport}</Banner>}
      <div className="mt-9 grid grid-cols-1 gap-9 lg:grid-cols-2">
        <Sides name={text.diff.sources} sides={diff.data.sources} shown={siteOf} />
        <Sides name={text.diff.queries} sides={diff.data.queries} shown={(query) => query} />
        <Figures comparison={diff.data} />
        {one && other && <Settings one={one} other={other} />}
      </div>
    </Page>
  );
}

function Head({ id, name, question, report }: { id: string; name: string; question: string; report: Report | undefined }) {
  const text = useText();
  return (
    <Link to="/runs/$id" params={{ id }} className="card block p-4 text-ink no-underline hover:bg-sunken">
      <span className="eyebrow">{name}</span>
      <span className="mt-0.5 block font-medium break-words" dir={directionOf(question)}>{question}</span>
      {report && <span className="num mt-1 block text-[13px] text-ink-3">{text.report.status[report.status]} · {text.common.seconds(report.seconds)}</span>}
    </Link>
  );
}

function Claims({ one, other }: { one: Report; other: Report }) {
  const text = useText();
  const pairs = pairClaims(one, other);
  const names = { same: text.diff.same, verdict: text.diff.changed, reworded: text.diff.reworded, gone: text.diff.gone, added: text.diff.added };
  const written = [one, other].map((report) => report.synthesis.model || report.reasoner);
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">{text.diff.claims}</h2>
      {written[0] !== written[1] && <div className="mb-4"><Banner tone="part">{text.diff.methodDiffers}</Banner></div>}
      {ORDER.map((change) => {
        const these = pairs.filter((pair) => pair.change === change);
        if (these.length === 0) return null;
        return (
          <details key={change} className="mb-3" open={change !== "same" || these.length === pairs.length} data-change={change}>
            <summary className="py-1.5 text-[14px] font-medium text-ink-2">
              {names[change]} <span className="num font-normal text-ink-3">{these.length}</span>
            </summary>
            <ul className="space-y-2">
              {these.map((pair, at) => <Pair key={at} pair={pair} />)}
            </ul>
          </details>
        );
      })}
    </section>
  );
}

function Pair({ pair: { change, first, second } }: { pair: ClaimPair }) {
  const text = useText();
  if (change === "same") return <li className="card p-3.5"><Claim sentence={first!} /></li>;
  const words = change === "reworded" && diffWords(first!.text, second!.text);
  return (
    <li className="card grid grid-cols-1 gap-x-6 gap-y-3 p-3.5 md:grid-cols-2">
      {first ? <Claim sentence={first}>{words && words.filter((part) => !part.added).map((part, at) => (part.removed ? <del key={at} className="bg-bad-soft">{part.value}</del> : part.value))}</Claim> : <p className="text-ink-3 max-md:hidden">–</p>}
      {second ? <Claim sentence={second}>{words && words.filter((part) => !part.removed).map((part, at) => (part.added ? <ins key={at} className="bg-good-soft no-underline">{part.value}</ins> : part.value))}</Claim> : <p className="text-ink-3 max-md:sr-only"><span className="sr-only">{text.diff.gone}</span>–</p>}
    </li>
  );
}

function Claim({ sentence, children }: { sentence: Sentence; children?: React.ReactNode }) {
  return (
    <div className="min-w-0 text-[15px]" dir={directionOf(sentence.text)}>
      <p className="break-words">{children || <Inline text={sentence.text} />}</p>
      <p className="mt-1 text-[13px]"><Mark support={sentence.support} size={14} named /></p>
    </div>
  );
}

/** Sources or queries of one side that are listed at once. */
const SHOWN = 10;

function Sides({ name, sides, shown }: { name: string; sides: Comparison["sources"]; shown: (each: string) => string }) {
  const text = useText();
  const groups = [[text.diff.onlyFirst, sides.first], [text.diff.onlySecond, sides.second], [text.diff.both, sides.both]] as const;
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-lg font-semibold">{name}</h2>
      {groups.filter(([, these]) => these.length > 0).map(([group, these]) => (
        <div key={group} className="mb-4">
          <h3 className="eyebrow mb-1">{group} <span className="num font-normal">{these.length}</span></h3>
          <ul className="space-y-1 text-[14px]">
            {these.slice(0, SHOWN).map((each) => <li key={each} className="break-words" dir="auto">{shown(each)}</li>)}
          </ul>
          {these.length > SHOWN && (
            <details className="mt-1 text-[14px]">
              <summary className="py-1 text-ink-2">{text.common.further(these.length - SHOWN)}</summary>
              <ul className="space-y-1">
                {these.slice(SHOWN).map((each) => <li key={each} className="break-words" dir="auto">{shown(each)}</li>)}
              </ul>
            </details>
          )}
        </div>
      ))}
    </section>
  );
}

function Figures({ comparison }: { comparison: Comparison }) {
  const text = useText();
  const shown = (value: number | null) => (value === null ? "–" : value.toLocaleString(text.code, { maximumFractionDigits: 2 }));
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">{text.diff.figures}</h2>
      <table className="num w-full text-[14px]">
        <thead>
          <tr className="border-b border-line text-[13px] text-ink-3">
            <td />
            <th className="py-1.5 text-end font-medium">{text.diff.first}</th>
            <th className="py-1.5 text-end font-medium">{text.diff.second}</th>
          </tr>
        </thead>
        <tbody>
          {comparison.figures.map((figure) => (
            <tr key={figure.name} className="border-b border-line last:border-0">
              <th className="py-1.5 text-start font-normal text-ink-2">{figure.name}</th>
              <td className="py-1.5 text-end">{shown(figure.first)}</td>
              <td className={`py-1.5 text-end ${figure.first === figure.second ? "" : "font-medium"}`}>{shown(figure.second)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Settings({ one, other }: { one: Report; other: Report }) {
  const text = useText();
  const settings = (report: Report): Record<string, unknown> => ({ profile: report.profile, ...report.budget });
  const [first, second] = [settings(one), settings(other)];
  const differing = Object.keys(first).filter((name) => first[name] !== second[name]);
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">{text.diff.settings}</h2>
      {differing.length === 0 && <p className="text-ink-2">{text.diff.nothing}</p>}
      <dl className="num space-y-1 text-[14px]">
        {differing.map((name) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd>{String(first[name] ?? "–")} → {String(second[name] ?? "–")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
