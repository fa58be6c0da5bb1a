/** Questions that follow from one another, each answer with its sources. */
import { type FormEvent, type KeyboardEvent, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, MessagesSquare, Pencil, Plus, Trash2 } from "lucide-react";
import { type Conversation, type Message, data, reach, service } from "@/api/client";
import { isMissing, json, useChange } from "@/api/kept";
import { useReport } from "@/api/queries";
import { ago, directionOf, useText } from "@/i18n";
import { useFollowed } from "@/log/useRun";
import { isOver, sentencesOf } from "@/log/view";
import { Answer, type Selection } from "@/parts/Answer";
// With the screen: without a connection it could not be loaded any more.
import "@/parts/CitationCard";
import { InShort } from "@/parts/InShort";
import { later } from "@/parts/later";
import { Nearest } from "@/parts/Nearest";
import { ReadAs } from "@/parts/Question";
import { Page } from "@/parts/Shell";
import { Empty, Failed, Loading, Told } from "@/parts/states";
import { Phases } from "@/parts/Timeline";

// Few runs ask back.
const InquiryCard = later(() => import("@/parts/InquiryCard"));

const route = getRouteApi("/chat");
const LOOK_AGAIN_MS = 5_000;

export default function ChatScreen() {
  const text = useText();
  const { id } = route.useSearch();
  // The first message makes the conversation, which is drawn anew: whoever typed it goes on typing.
  const typing = useRef(false);
  const [deep, setDeep] = useState(false);
  const list = useQuery({
    queryKey: ["conversations"],
    queryFn: async () => (await data(service.GET("/v1/chat/conversations"))).conversations,
    retry: false,
  });
  if (isMissing(list.error)) return <Page title={text.chat.title}><Empty title={text.states.notServed} /></Page>;
  return (
    <Page title={text.chat.title} wide>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside className="max-lg:hidden"><Conversations list={list.data ?? []} id={id} /></aside>
        <details className={list.data?.length ? "lg:hidden" : "hidden"}>
          <summary className="py-1 text-[14px] font-medium text-ink-2">
            {text.chat.conversations} <span className="num font-normal text-ink-3">{list.data?.length || ""}</span>
          </summary>
          <div className="pt-3"><Conversations list={list.data ?? []} id={id} /></div>
        </details>
        <Talk key={id ?? "new"} id={id} typing={typing} deep={deep} setDeep={setDeep} />
      </div>
    </Page>
  );
}

function Conversations({ list, id }: { list: Conversation[]; id: string | undefined }) {
  const text = useText();
  return (
    <>
      <Link to="/chat" search={{}} className="btn mb-4 w-full"><Plus size={16} aria-hidden />{text.chat.new}</Link>
      {list.length > 0 && <h2 className="eyebrow mb-1 max-lg:hidden">{text.chat.conversations}</h2>}
      <ul>
        {list.map((each) => (
          <li key={each.id}>
            <Link to="/chat" search={{ id: each.id }} aria-current={each.id === id ? "page" : undefined} className={`block rounded-lg px-2.5 py-2 text-[14px] no-underline ${each.id === id ? "bg-accent-soft text-accent" : "text-ink hover:bg-sunken"}`}>
              <span className="block truncate" dir="auto">{each.title || text.chat.title}</span>
              <span className="text-[12px] text-ink-3">{ago(each.updated_at, text.code)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What stays as it is where a first message makes a conversation, and where another one is opened. */
interface Kept {
  typing: RefObject<boolean>;
  /** Whether answers are researched. */
  deep: boolean;
  setDeep: (deep: boolean) => void;
}

function Talk({ id, ...kept }: { id: string | undefined } & Kept) {
  const text = useText();
  const last = useRef<HTMLParagraphElement>(null);
  const talk = useQuery({
    queryKey: ["conversation", id],
    queryFn: () => data(service.GET("/v1/chat/conversations/{conversation_id}", { params: { path: { conversation_id: id! } } })),
    enabled: id !== undefined,
    // It may be continued in another window.
    refetchInterval: LOOK_AGAIN_MS,
  });
  const messages = talk.data?.messages ?? [];
  // The last question stands at the top, and its answer has room to grow below it.
  const growing = messages.length > 2;
  useEffect(() => {
    if (growing) last.current?.scrollIntoView({ block: "start" });
  }, [messages.length]);
  if (talk.error && (!talk.data || isMissing(talk.error))) return <Failed below error={talk.error} />;
  return (
    <section className="flex min-h-[calc(100dvh-12rem)] min-w-0 flex-col sm:min-h-[calc(100dvh-4.5rem)]">
      <Head id={id} title={talk.data?.title ?? ""} />
      <div className="flex-1 space-y-7">
        {id && talk.isPending && <Loading />}
        {!id && <Empty below icon={<MessagesSquare size={28} />} title={text.chat.empty}>{text.chat.emptyWhy}</Empty>}
        {messages.map((message, at) =>
          message.role === "user" ? (
            <p key={message.id} ref={last} dir={directionOf(message.content)} className="ms-auto w-fit max-w-[85%] rounded-2xl bg-accent-soft px-4 py-2.5 break-words">
              <span className="sr-only">{text.chat.you}: </span>
              {message.content}
            </p>
          ) : (
            <div key={message.id} className={growing && at === messages.length - 1 ? "min-h-[calc(100dvh-14rem)]" : ""}><Reply message={message} /></div>
          ),
        )}
      </div>
      <Composer conversation={id} {...kept} />
    </section>
  );
}

/** What a conversation is called, and what renames and deletes it. */
export function Head({ id, title }: { id: string | undefined; title: string }) {
  const text = useText();
  const navigate = useNavigate();
  const [naming, setNaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const path = `/v1/chat/conversations/${encodeURIComponent(id ?? "")}`;
  // What was deleted in another tab is gone, as was wanted.
  const gone = (error: Error) => {
    if (!isMissing(error)) throw error;
  };
  const remove = useChange(() => json<void>("DELETE", path).catch(gone), "conversations");
  const rename = useChange((to: string) => json("PATCH", path, { title: to }), "conversations", "conversation");
  const close = () => {
    setNaming(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = (new FormData(event.currentTarget).get("title") as string).trim();
    if (to && to !== title) rename.mutate(to, { onSuccess: close });
    else close();
  };
  return (
    <div className="pb-4">
      <div className={naming ? "sr-only" : "flex items-center gap-1"}>
        <h1 className="me-auto min-w-0 truncate text-xl font-semibold tracking-tight" dir="auto">{title || text.chat.title}</h1>
        {id && !naming && (
          <>
            <button ref={pencil} type="button" className="btn btn-quiet" aria-label={text.chat.rename} onClick={() => setNaming(true)}><Pencil size={16} aria-hidden /></button>
            <button
              type="button"
              className="btn btn-quiet"
              aria-label={text.common.delete}
              onClick={() => window.confirm(text.chat.deleteSure) && remove.mutate(undefined, { onSuccess: () => void navigate({ to: "/chat", search: {} }) })}
            >
              <Trash2 size={16} aria-hidden />
            </button>
          </>
        )}
      </div>
      {naming && (
        <form onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && close()} className="flex flex-wrap items-center gap-2">
          <input name="title" autoFocus required maxLength={200} dir="auto" defaultValue={title} aria-label={text.chat.rename} className="field min-w-0 flex-1 basis-64" />
          <button type="submit" className="btn btn-primary" disabled={rename.isPending}>{text.common.save}</button>
          <button type="button" className="btn" onClick={close}>{text.common.cancel}</button>
        </form>
      )}
      <Told error={rename.error ?? remove.error} />
    </div>
  );
}

function Reply({ message }: { message: Message }) {
  const text = useText();
  if (!message.trace_id) return <p>{message.content || text.chat.noAnswer}</p>;
  return message.status === "completed" ? <Finished runId={message.trace_id} /> : <Coming runId={message.trace_id} />;
}

function Finished({ runId }: { runId: string }) {
  const text = useText();
  const report = useReport(`/v1/runs/${encodeURIComponent(runId)}/report`);
  const evidence = useMemo(() => new Map(report.data?.evidence.map((each) => [each.id, each])), [report.data]);
  const [selection, select] = useState<Selection>({});
  if (report.error) return <Told error={report.error} />;
  if (!report.data) return <Loading />;
  const { sentences, citations, answer, nearest, direct, read_as: readAs, gaps } = report.data;
  return (
    <article aria-label={text.chat.quaere}>
      <ReadAs question={readAs} />
      <InShort direct={direct} />
      {sentences.length > 0 ? (
        <Answer sentences={sentences} citations={citations} evidence={evidence} selection={selection} select={select} runId={runId} />
      ) : (
        <p className="text-ink-2">{answer}</p>
      )}
      <Open gaps={gaps} />
      <Nearest places={nearest} runId={runId} />
      <ReportLink runId={runId} />
    </article>
  );
}

/** An answer that is on its way, drawn from the events of its run. */
function Coming({ runId }: { runId: string }) {
  const text = useText();
  const client = useQueryClient();
  const { view, ended } = useFollowed(runId);
  const [selection, select] = useState<Selection>({});
  const over = isOver(view) || ended !== "";
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: ["conversation"] });
  }, [over]);
  return (
    <article aria-label={text.chat.quaere} aria-busy={!over}>
      <ReadAs question={view.readAs} />
      {!over && <div className="mb-4"><Phases view={view} /></div>}
      <Answer sentences={sentencesOf(view)} citations={view.report?.citations ?? []} evidence={view.evidence} selection={selection} select={select} runId={runId} />
      <Open gaps={view.report?.gaps ?? []} />
      <Nearest places={view.report?.nearest} runId={runId} />
      {view.inquiry && <Suspense><InquiryCard inquiry={view.inquiry} runId={runId} /></Suspense>}
      {over && !view.report && <p className="text-bad">{view.failure?.message ?? (ended === "cancelled" ? text.chat.abandoned : text.chat.noAnswer)}</p>}
      <ReportLink runId={runId} />
    </article>
  );
}

/** What an answer leaves open, which a short one does not say among its sentences. */
export function Open({ gaps }: { gaps: string[] }) {
  const text = useText();
  if (gaps.length === 0) return null;
  return (
    <section className="mt-4 text-[14px]">
      <h2 className="font-semibold">{text.report.open}</h2>
      <ul className="mt-1 space-y-1 text-ink-2">{gaps.map((gap) => <li key={gap} dir="auto">{gap}</li>)}</ul>
    </section>
  );
}

function ReportLink({ runId }: { runId: string }) {
  const text = useText();
  return <Link to="/runs/$id" params={{ id: runId }} className="mt-3 inline-block py-1 text-[13px] text-accent">{text.chat.openReport}</Link>;
}

function Composer({ conversation, typing, deep, setDeep }: { conversation: string | undefined } & Kept) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Where fingers type, a keyboard would cover what was said.
    if (typing.current || window.matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
    typing.current = false;
  }, []);
  const send = useChange(async (message: string) => {
    const response = await reach("/v1/chat/messages", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ message, mode: deep ? "deep_research" : "chat", ...(conversation && { conversation_id: conversation }) }),
    });
    // The answer is followed by the events of its run, which can be taken up again at any place.
    void response.body?.cancel();
    return response.headers.get("x-quaere-conversation-id") ?? conversation ?? "";
  }, "conversations", "conversation");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!typed.trim()) return;
    send.mutate(typed.trim(), {
      onSuccess: (id) => {
        setTyped("");
        typing.current = !conversation && document.activeElement === box.current;
        void navigate({ to: "/chat", search: { id } });
      },
    });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <div className="sticky bottom-16 mt-6 bg-paper pt-2 pb-3 sm:bottom-0">
      <Told error={send.error} />
      <form onSubmit={submit} className="card flex items-end gap-2 p-2.5 focus-within:border-accent">
        <textarea ref={box} rows={1} dir="auto" aria-label={text.chat.placeholder} placeholder={text.chat.placeholder} className="field-sizing-content max-h-40 min-h-9 flex-1 resize-none bg-transparent px-2 py-1.5 outline-none" value={typed} onChange={(event) => setTyped(event.target.value)} onKeyDown={press} />
        <button type="button" className="chip" aria-pressed={deep} onClick={() => setDeep(!deep)}>{text.chat.deep}</button>
        <button type="submit" className="btn btn-primary size-9 shrink-0 rounded-full p-0" aria-label={text.chat.send} disabled={!typed.trim() || send.isPending}><ArrowUp size={18} aria-hidden /></button>
      </form>
    </div>
  );
}
