/** What a run asks back: a plan to be approved or edited, or a question. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Plus, Trash2 } from "lucide-react";
import { useRunActions } from "@/api/queries";
import { useText } from "@/i18n";
import type { Inquiry } from "@/log/events";
import { inquiryId } from "@/log/inquiry";
import { Told } from "./states";

export default function InquiryCard({ inquiry, runId }: { inquiry: Inquiry; runId: string }) {
  const text = useText();
  const { reply } = useRunActions(runId);
  const [topics, setTopics] = useState(inquiry.topics);
  const [said, setSaid] = useState("");
  const planned = inquiry.kind === "topics";
  const list = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState(0);
  // What is typed next is for the field that was asked for.
  useEffect(() => {
    if (added > 0) list.current?.querySelector<HTMLTextAreaElement>("li:last-child textarea")?.focus();
  }, [added]);
  const add = () => {
    setTopics([...topics, ""]);
    setAdded(added + 1);
  };
  const remove = (at: number) => {
    setTopics(topics.toSpliced(at, 1));
    adder.current?.focus(); // what had it is gone
  };
  // A topic is one line, however many it takes to show it.
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const kept = topics.filter((topic) => topic.trim());
    reply.mutate({ inquiry_id: await inquiryId(inquiry), reply: { text: planned ? "" : said, topics: planned ? kept : [] } });
  };
  return (
    <form onSubmit={(event) => void send(event)} className="card space-y-4 border-accent p-5" data-inquiry={inquiry.kind}>
      <h2 className="text-[17px] font-semibold">{planned ? text.inquiry.topics : text.inquiry.clarification}</h2>
      <p dir="auto" className="text-ink-2">{inquiry.text}</p>
      {planned ? (
        <>
          <ol ref={list} className="space-y-2">
            {topics.map((topic, at) => (
              <li key={at} className="flex items-start gap-2">
                <textarea
                  rows={1}
                  className="field field-sizing-content resize-none"
                  dir="auto"
                  aria-label={text.inquiry.topic(at + 1)}
                  value={topic}
                  onChange={(event) => setTopics(topics.with(at, event.target.value.replaceAll("\n", " ")))}
                  onKeyDown={press}
                />
                <button type="button" className="btn btn-quiet" aria-label={`${text.inquiry.remove}: ${topic}`} onClick={() => remove(at)}>
                  <Trash2 size={16} aria-hidden />
                </button>
              </li>
            ))}
          </ol>
          <button ref={adder} type="button" className="btn btn-quiet" onClick={add}><Plus size={16} aria-hidden />{text.inquiry.add}</button>
        </>
      ) : (
        <textarea className="field" rows={3} dir="auto" aria-label={text.inquiry.answer} value={said} onChange={(event) => setSaid(event.target.value)} required />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="btn btn-primary" disabled={reply.isPending || reply.isSuccess}>{planned ? text.inquiry.approve : text.inquiry.send}</button>
        <span className="text-[13px] text-ink-3">{text.inquiry.waits}</span>
      </div>
      <Told error={reply.error} />
    </form>
  );
}
