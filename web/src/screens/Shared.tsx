/** A report that its owner has shared: to be read, and nothing else. */
import { useMemo, useState } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { useReport } from "@/api/queries";
import { ago, useText } from "@/i18n";
import { Answer, type Selection } from "@/parts/Answer";
import { EXTRACTIVE } from "@/parts/answer";
// With the screen: without a connection it could not be loaded any more.
import "@/parts/CitationCard";
import { VerdictBar, counted } from "@/parts/Mark";
import { Nearest } from "@/parts/Nearest";
import { Question } from "@/parts/Question";
import { Page } from "@/parts/Shell";
import { Failed, Loading } from "@/parts/states";

const route = getRouteApi("/shared/$link");

export default function SharedScreen() {
  const { link } = route.useParams();
  const text = useText();
  const report = useReport(`/v1/shared/${encodeURIComponent(link)}`);
  const [selection, select] = useState<Selection>({});
  const evidence = useMemo(() => new Map(report.data?.evidence.map((each) => [each.id, each])), [report.data]);
  if (report.error) return <Failed error={report.error} />;
  if (!report.data) return <Page title={text.common.loading}><Loading rows={8} /></Page>;
  const { question, read_as: readAs, status, finished_at: finished, sentences, citations, answer, nearest, gaps, synthesis } = report.data;
  return (
    <Page title={question}>
      <Question question={question} readAs={readAs} className="text-[26px] leading-snug" />
      <p className="num mt-2 mb-7 text-[13px] text-ink-2">{text.report.status[status]}{finished && ` · ${ago(finished, text.code)}`}</p>
      {sentences.length > 0 ? (
        <Answer sentences={sentences} citations={citations} evidence={evidence} selection={selection} select={select} apart={synthesis.model === EXTRACTIVE} />
      ) : (
        <p>{answer}</p>
      )}
      {status !== "answered" && gaps.length > 0 && (
        <section className="mt-7 rounded-xl border border-line px-5 py-4">
          <h2 className="text-[15px] font-semibold">{text.report.open}</h2>
          <ul className="mt-1 divide-y divide-line text-[14px]">
            {gaps.map((gap) => <li key={gap} className="py-2.5 break-words" dir="auto">{gap}</li>)}
          </ul>
        </section>
      )}
      <Nearest places={nearest} />
      <div className="mt-7 border-t border-line pt-5"><VerdictBar counts={counted(sentences)} /></div>
    </Page>
  );
}
