/** One box, and before one pays: what the answer may take, and from where it may come. */
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import { ArrowUp, ChevronDown, Clock } from "lucide-react";
import type { Folder, RunForm } from "@/api/client";
import { useAsk, useEstimate, useProviders, useRun, useSession, useSimilar } from "@/api/queries";
import { useFolders, useOwnDocs } from "@/api/kept";
import { ago, dollars, useText } from "@/i18n";
import type { ProfileName } from "@/log/events";
import { forget, keep, kept } from "@/parts/browser";
import { Page } from "@/parts/Shell";
import { Told } from "@/parts/states";
import { useDelayed } from "@/parts/hooks";

const MOST_CHARACTERS = 20_000;
const PROFILES = [null, "simple", "standard", "deep"] as const;
/** Under which name the tab keeps what is typed: it is still there after a reload and a sign-in. */
const DRAFT = "quaere.question";
const route = getRouteApi("/");

interface Choices {
  profile: ProfileName | null;
  folders: string[];
  providers: string[];
  planFirst: boolean;
  context: string;
  language: string;
}

const NOTHING_CHOSEN: Choices = { profile: null, folders: [], providers: [], planFirst: false, context: "", language: "" };

/**
 * Return what is sent to the service; what was left open is left out.
 *
 * Folders that are chosen without a search service are searched alone, whatever the operator has set.
 */
export function formOf(question: string, choices: Choices): RunForm {
  const providers = choices.providers.length === 0 && choices.folders.length > 0 ? ["folder"] : choices.providers;
  return {
    question,
    ...(choices.profile && { profile: choices.profile }),
    ...(choices.folders.length > 0 && { folders: choices.folders }),
    ...(providers.length > 0 && { providers }),
    ...(choices.planFirst && { approve_plan: true, strategy: "supervisor" }),
    ...(choices.context && { context: choices.context }),
    ...(choices.language && { language: choices.language }),
  } as RunForm;
}

/** Return what was chosen for a run that was asked for by `request`, for a question like it. */
export function choicesOf(request: Partial<RunForm>): Choices {
  return {
    profile: request.profile ?? null,
    folders: request.folders ?? [],
    providers: (request.providers ?? []).filter((name) => name !== "folder"),
    planFirst: request.approve_plan ?? false,
    context: request.context ?? "",
    language: request.language ?? "",
  };
}

export function AskScreen() {
  const text = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const [question, setQuestion] = useState(search.q ?? kept("sessionStorage", DRAFT) ?? "");
  const [choices, setChoices] = useState<Choices>({ ...NOTHING_CHOSEN, folders: search.folder ? [search.folder] : [] });
  const earlier = useRun(search.as).data?.request;
  useEffect(() => {
    if (earlier) setChoices(choicesOf(earlier));
  }, [earlier]);
  const ask = useAsk();
  const folders = useFolders();
  const ownDocs = useOwnDocs();
  // Of the folders of others nobody knows what they answer.
  const examples = folders.data?.length === 0 ? text.ask.webQuestions : ownDocs && text.ask.exampleQuestions;
  // The same question that is sent twice by accident is one run.
  const attempt = useRef({ sent: "", key: "" });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    // Where the answer will be watched is there by the time it is asked for.
    void import("./Run");
  }, []);
  useEffect(() => {
    if (search.q) setQuestion(search.q);
  }, [search.q]);
  useEffect(() => keep("sessionStorage", DRAFT, question), [question]);
  const send = (asked: string) => {
    const form = formOf(asked.trim(), choices);
    const sent = JSON.stringify(form);
    if (attempt.current.sent !== sent) attempt.current = { sent, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
    ask.mutate(
      { form, key: attempt.current.key },
      {
        onSuccess: (job) => {
          forget(DRAFT);
          void navigate({ to: "/runs/$id", params: { id: job.run_id } });
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim() && left >= 0) send(question);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  const left = MOST_CHARACTERS - question.length;
  return (
    <Page title="">
      <div className="mx-auto max-w-2xl pt-[6vh] sm:pt-[10vh]">
        <h1 className="text-center text-[26px] font-semibold tracking-tight sm:text-[32px]">{text.ask.title}</h1>
        <p className="mt-2 mb-7 text-center text-ink-2">{text.ask.lead}</p>
        <form onSubmit={submit} className="card shadow-[0_1px_2px_rgb(0_0_0/4%),0_6px_24px_rgb(0_0_0/6%)] focus-within:border-accent">
          <textarea
            ref={field}
            aria-label={text.ask.label}
            placeholder={text.ask.placeholder}
            rows={2}
            dir="auto"
            className="field-sizing-content max-h-[40vh] min-h-[4.5rem] w-full resize-none bg-transparent px-4 pt-4 text-[17px] leading-snug outline-none"
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={press}
          />
          <div className="flex items-end justify-between gap-3 px-3 pb-3">
            <Effort choices={choices} choose={setChoices} />
            <button
              type="submit"
              className="btn btn-primary size-10 shrink-0 rounded-full p-0"
              aria-label={text.ask.submit}
              disabled={!question.trim() || left < 0 || ask.isPending}
            >
              <ArrowUp size={19} aria-hidden />
            </button>
          </div>
        </form>
        <div className="mt-3 space-y-3 px-1">
          {left < 1_000 && <p className={`num text-[13px] ${left < 0 ? "text-bad" : "text-ink-3"}`}>{left < 0 ? text.ask.tooLong(MOST_CHARACTERS) : text.ask.left(left)}</p>}
          <Told error={ask.error} />
          <Forecast form={formOf("", choices)} folders={folders.data ?? []} />
          <Similar question={question} />
          <Options choices={choices} choose={setChoices} folders={folders.data ?? []} />
        </div>
        {!question && examples && <Examples questions={examples} ask={send} busy={ask.isPending} />}
      </div>
    </Page>
  );
}

interface Choosing {
  choices: Choices;
  choose: (change: (now: Choices) => Choices) => void;
}

function Effort({ choices, choose }: Choosing) {
  const text = useText();
  const name = useId();
  return (
    <fieldset className="flex flex-wrap sm:gap-1">
      <legend className="sr-only">{text.ask.effort}</legend>
      {PROFILES.map((profile) => (
        <label key={profile ?? "auto"} className="chip border-transparent max-sm:px-2" title={text.ask.profileWhy[profile ?? "auto"]}>
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={choices.profile === profile}
            onChange={() => choose((now) => ({ ...now, profile }))}
          />
          {profile ? text.ask.profiles[profile] : text.ask.auto}
        </label>
      ))}
    </fieldset>
  );
}

const NAMED_PLACES = 3;

/** What an answer may take, and where it is looked for. */
function Forecast({ form, folders }: { form: RunForm; folders: Folder[] }) {
  const text = useText();
  const session = useSession();
  const estimate = useEstimate(form);
  if (estimate.error) return <Told error={estimate.error} />;
  const expected = estimate.data;
  const places = (expected?.providers ?? []).flatMap((name) =>
    name === "folder" ? folders.filter(({ id, read_only }) => form.folders?.includes(id) ?? read_only).map((each) => each.name) : [name],
  );
  const { low, high } = expected?.forecast.pages ?? { low: 0, high: 0 };
  const cost = expected?.forecast.cost_usd;
  const price = !cost
    ? text.ask.unpriced
    : cost.high === 0
      ? text.ask.free
      : text.ask.price(dollars(cost.low, text.code), dollars(cost.high, text.code));
  return (
    <p className="num flex min-h-10 flex-wrap content-start sm:min-h-5 gap-x-4 text-[13px] text-ink-3">
      {expected && <span>{text.ask.estimate(expected.forecast.seconds, text.ask.pages(low, high), price)}</span>}
      {places.length > 0 && <span>{text.ask.places(places.slice(0, NAMED_PLACES), Math.max(0, places.length - NAMED_PLACES))}</span>}
      {session.data && <span>{session.data.model ?? text.ask.noModel}</span>}
    </p>
  );
}

function Similar({ question }: { question: string }) {
  const text = useText();
  const asked = useDelayed(question.trim(), 600);
  const earlier = useSimilar(asked).data;
  if (!earlier || !asked) return null;
  return (
    <Link
      to="/runs/$id"
      params={{ id: earlier.run_id }}
      className="card flex items-center gap-3 px-4 py-3 text-ink no-underline hover:bg-sunken"
    >
      <Clock size={18} className="shrink-0 text-accent" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block text-[13px] text-ink-2">{text.ask.similar(ago(earlier.completed, text.code))}</span>
        <span className="block truncate font-medium">{earlier.question}</span>
      </span>
      <span className="text-[14px] font-medium whitespace-nowrap text-accent">{text.ask.open}</span>
    </Link>
  );
}

function Options({ choices, choose, folders }: Choosing & { folders: Folder[] }) {
  const text = useText();
  const providers = useProviders();
  const services = (providers.data?.providers ?? []).filter((each) => each.name !== "folder" && each.ready);
  const toggle = (field: "folders" | "providers", name: string) =>
    choose((now) => ({
      ...now,
      [field]: now[field].includes(name) ? now[field].filter((each) => each !== name) : [...now[field], name],
    }));
  return (
    <details className="group" open={choices.folders.length + choices.providers.length > 0 || undefined}>
      <summary className="inline-flex items-center gap-1 py-1 text-[14px] font-medium text-ink-2 hover:text-ink">
        {text.ask.options}
        <ChevronDown size={16} aria-hidden className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-3 space-y-5">
        {folders.length > 0 && (
          <Chips
            label={text.ask.folders}
            names={folders.map((each) => ({ id: each.id, name: each.name }))}
            chosen={choices.folders}
            toggle={(id) => toggle("folders", id)}
          />
        )}
        <Chips
          label={text.ask.services}
          names={services.map((each) => ({ id: each.name, name: each.name, title: text.services[each.description] ?? each.description }))}
          chosen={choices.providers}
          toggle={(id) => toggle("providers", id)}
        />
        <label className="block">
          <span className="eyebrow mb-1.5 block">{text.ask.context}</span>
          <input
            className="field"
            dir="auto"
            placeholder={text.ask.contextHint}
            value={choices.context}
            onChange={(event) => choose((now) => ({ ...now, context: event.target.value }))}
          />
        </label>
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4.5 accent-accent"
            checked={choices.planFirst}
            onChange={(event) => choose((now) => ({ ...now, planFirst: event.target.checked }))}
          />
          {text.ask.planFirst}
        </label>
      </div>
    </details>
  );
}

interface ChipsProps {
  label: string;
  names: { id: string; name: string; title?: string }[];
  chosen: string[];
  toggle: (id: string) => void;
}

function Chips({ label, names, chosen, toggle }: ChipsProps) {
  return (
    <div role="group" aria-label={label}>
      <p className="eyebrow mb-1.5">{label}</p>
      <div className="flex flex-wrap gap-1.5">
        {names.map(({ id, name, title }) => (
          <button key={id} type="button" className="chip" title={title} aria-pressed={chosen.includes(id)} onClick={() => toggle(id)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function Examples({ questions, ask, busy }: { questions: readonly string[]; ask: (question: string) => void; busy: boolean }) {
  const text = useText();
  return (
    <section className="mt-9">
      <h2 className="eyebrow mb-1 px-1">{text.ask.examples}</h2>
      <ul className="divide-y divide-line">
        {questions.map((question) => (
          <li key={question}>
            <button type="button" disabled={busy} className="flex w-full items-center gap-3 rounded-md px-1 py-3 text-start text-ink-2 hover:text-accent" onClick={() => ask(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
