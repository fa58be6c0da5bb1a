/** What was asked, as the heading of a screen; of what is long, the beginning. */
import { useState } from "react";
import { directionOf, useText } from "@/i18n";

/** Characters up to which a question is a heading; longer ones would push the answer out of sight. */
const MOST_SHOWN = 400;

export function Question({ question, readAs, className }: { question: string; readAs?: string; className: string }) {
  const text = useText();
  const [whole, setWhole] = useState(false);
  const long = question.length > MOST_SHOWN;
  return (
    <>
      <h1 className={`${className} font-semibold tracking-tight break-words ${long && !whole ? "line-clamp-5" : ""}`} dir={directionOf(question)}>{question}</h1>
      <ReadAs question={readAs} />
      {long && !whole && <button type="button" className="no-print btn btn-quiet mt-1 -ms-2 text-[13px]" onClick={() => setWhole(true)}>{text.common.whole}</button>}
    </>
  );
}

/** What a follow-up was taken to ask; nothing for a question that says all by itself. */
export function ReadAs({ question }: { question: string | undefined }) {
  const text = useText();
  if (!question) return null;
  return <p className="mt-1 mb-2 text-[14px] break-words text-ink-2">{text.common.readAs} <span dir="auto">{question}</span></p>;
}
