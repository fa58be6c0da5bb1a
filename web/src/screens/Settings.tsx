/** How the page looks, what the service has and whether it works, and who may use it. */
import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Info, LogOut } from "lucide-react";
import { type Finding, type NewKey, type Right, data, service } from "@/api/client";
import { isMissing, json, useChange } from "@/api/kept";
import { useDoctor, useProviders, useSession } from "@/api/queries";
import { LANGUAGES, ago, useChooseLanguage, useText } from "@/i18n";
import { retold } from "@/log/reasons";
import { forget } from "@/parts/browser";
import { Columns } from "@/parts/charts";
import { CopyButton } from "@/parts/CopyButton";
import { Messages, Schedules } from "@/parts/Recurring";
import { Section } from "@/parts/Section";
import { Page } from "@/parts/Shell";
import { Banner, Failed, Loading, Told } from "@/parts/states";
import { THEMES, type Theme, chooseTheme, keptTheme } from "@/parts/theme";

export default function SettingsScreen() {
  const text = useText();
  const session = useSession().data;
  const admin = session?.rights.includes("admin");
  return (
    <Page title={text.settings.title}>
      <h1 className="mb-7 text-2xl font-semibold tracking-tight">{text.settings.title}</h1>
      <div className="space-y-11">
        <ThisPage />
        {admin && <Doctor />}
        <Services />
        <Schedules />
        <Messages />
        {admin && <Keys />}
        <Usage />
        {session && (
          <Section title={text.settings.privacy}>
            <ul className="list-disc space-y-1 ps-5 text-ink-2">
              <li>{text.settings.privacyPages(session.stores.pages ?? true)}</li>
              <li>{text.settings.privacyQuestions(session.stores.questions ?? true)}</li>
              <li>{text.settings.privacyRequests}</li>
            </ul>
          </Section>
        )}
        <Account />
      </div>
    </Page>
  );
}

function ThisPage() {
  const text = useText();
  const choose = useChooseLanguage();
  const [theme, setTheme] = useState<Theme>(keptTheme);
  return (
    <Section title={text.settings.page}>
      <div className="grid gap-5 sm:grid-cols-2">
        <fieldset>
          <legend className="mb-1.5 text-[14px] text-ink-2">{text.settings.theme}</legend>
          <div className="flex flex-wrap gap-1.5">
            {THEMES.map((each) => (
              <label key={each} className="chip">
                <input type="radio" name="theme" className="sr-only" checked={theme === each} onChange={() => { chooseTheme(each); setTheme(each); }} />
                {text.settings.themes[each]}
              </label>
            ))}
          </div>
        </fieldset>
        <label className="block">
          <span className="mb-1.5 block text-[14px] text-ink-2">{text.settings.language}</span>
          <select className="field max-w-60" value={text.code} onChange={(event) => choose(event.target.value)}>
            {Object.entries(LANGUAGES).map(([code, { name }]) => <option key={code} value={code} lang={code}>{name}</option>)}
          </select>
        </label>
      </div>
    </Section>
  );
}

const HEALTH = {
  ok: { icon: CircleCheck, tone: "text-good" },
  note: { icon: Info, tone: "text-part" },
  fault: { icon: CircleX, tone: "text-bad" },
} as const;

function Doctor() {
  const text = useText();
  const doctor = useDoctor();
  return (
    <Section title={text.settings.doctor} lead={text.settings.doctorLead}>
      {doctor.isPending && <Loading rows={5} />}
      {doctor.error && <Failed below error={doctor.error} retry={() => void doctor.refetch()} />}
      {doctor.data && (
        <>
          <Banner tone={doctor.data.healthy ? "good" : "bad"}>{doctor.data.healthy ? text.settings.healthy : text.settings.unhealthy}</Banner>
          <ul className="mt-2 divide-y divide-line">
            {doctor.data.findings.map((finding, at) => <Found key={at} finding={finding} />)}
          </ul>
          <button type="button" className="btn mt-3" disabled={doctor.isFetching} onClick={() => void doctor.refetch()}>{text.settings.doctorAgain}</button>
        </>
      )}
    </Section>
  );
}

function Found({ finding }: { finding: Finding }) {
  const text = useText();
  const { icon: Icon, tone } = HEALTH[finding.health];
  return (
    <li className="flex items-start gap-3 py-2.5 text-[14px]">
      <Icon size={17} className={`mt-0.5 shrink-0 ${tone}`} role="img" aria-label={text.settings.health[finding.health]} />
      <div className="min-w-0 break-words">
        <p className="font-medium">{text.doctor.parts[finding.part] ?? finding.part}{finding.name && <span className="font-normal text-ink-2"> {finding.name.replace(/^folder:/, "")}</span>}</p>
        <p className="text-ink-2">{retold(finding.message, text.doctor.told)}</p>
      </div>
    </li>
  );
}

function Services() {
  const text = useText();
  const listing = useProviders();
  return (
    <Section title={text.settings.services}>
      {listing.isPending && <Loading />}
      {listing.error && <Told error={listing.error} />}
      <ul className="grid gap-x-8 sm:grid-cols-2">
        {listing.data?.providers.map((each) => (
          <li key={each.name} className="flex items-start gap-3 border-b border-line py-2.5 text-[14px]">
            <span className={`mt-1.5 size-2 shrink-0 rounded-full ${each.ready ? "bg-good" : "bg-line-strong"}`} aria-hidden />
            <div className="min-w-0">
              <p className="font-medium">{each.name} <span className="font-normal text-ink-3">{each.ready ? text.ask.ready : text.ask.missing(each.missing.join(", "))}</span></p>
              <p className="text-[13px] text-ink-2">{text.services[each.description] ?? each.description}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const RIGHTS: Right[] = ["run", "read", "check", "folders", "admin"];
/** What a key may do unless something else is chosen, as for keys that `quaere keys create` makes. */
const USER_RIGHTS = RIGHTS.filter((right) => right !== "admin");

function Keys() {
  const text = useText();
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: async () => (await data(service.GET("/v1/keys"))).keys,
    retry: false,
  });
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Right[]>(USER_RIGHTS);
  const create = useChange((body: { name: string; scopes: Right[] }) => json<NewKey>("POST", "/v1/keys", body), "keys");
  const revoke = useChange((id: string) => json<void>("DELETE", `/v1/keys/${encodeURIComponent(id)}`), "keys");
  if (isMissing(keys.error)) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name, scopes }, { onSuccess: () => setName("") });
  };
  return (
    <Section title={text.settings.keys}>
      {keys.error && <Told error={keys.error} />}
      <ul className="divide-y divide-line">
        {keys.data?.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-[14px]">
            <span className="font-medium">{key.name || key.id}</span>
            <code className="text-[13px] text-ink-3">{key.prefix}…</code>
            <span className="text-[13px] text-ink-2">{key.scopes.map((scope) => text.settings.rights[scope]).join(", ")}</span>
            <span className="flex-1 text-[13px] text-ink-3">{key.revoked_at ? text.settings.keyRevoked : key.last_used_at ? text.settings.keyUsed(ago(key.last_used_at, text.code)) : text.settings.keyNever}</span>
            {!key.revoked_at && (
              <button type="button" className="btn btn-quiet btn-danger" onClick={() => window.confirm(text.settings.keyRevokeSure) && revoke.mutate(key.id)}>{text.settings.keyRevoke}</button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="mt-4 space-y-3">
        <label className="block max-w-sm">
          <span className="mb-1 block text-[14px] text-ink-2">{text.settings.keyName}</span>
          <input className="field" required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <div role="group" aria-label={text.settings.keyScopes} className="flex flex-wrap items-center gap-1.5">
          <span className="me-1 text-[14px] text-ink-2">{text.settings.keyScopes}</span>
          {RIGHTS.map((right) => (
            <button key={right} type="button" className="chip" aria-pressed={scopes.includes(right)} onClick={() => setScopes((now) => (now.includes(right) ? now.filter((each) => each !== right) : [...now, right]))}>
              {text.settings.rights[right]}
            </button>
          ))}
        </div>
        <Told error={create.error ?? revoke.error} />
        <button type="submit" className="btn" disabled={create.isPending || scopes.length === 0}>{text.settings.keyCreate}</button>
      </form>
      {create.data && (
        <div className="mt-4" role="status">
          <Banner tone="good">
            <p className="mb-2 font-medium">{text.settings.keyOnce}</p>
            <p className="flex flex-wrap items-center gap-3"><code className="break-all">{create.data.secret}</code><CopyButton content={() => create.data.secret} /></p>
          </Banner>
        </div>
      )}
    </Section>
  );
}

function Usage() {
  const text = useText();
  const usage = useQuery({
    queryKey: ["usage"],
    queryFn: async () => (await data(service.GET("/v1/usage"))).days,
    retry: false,
  });
  if (!usage.data?.length) return null;
  const days = usage.data.toSorted((a, b) => a.day.localeCompare(b.day));
  const rows = (field: "runs" | "tokens") => days.map((day) => ({ name: day.day, value: day[field], shown: day[field].toLocaleString(text.code) }));
  return (
    <Section title={text.settings.usage}>
      <div className="grid gap-8 sm:grid-cols-2">
        <Columns label={text.settings.usageRuns} rows={rows("runs")} />
        <Columns label={text.settings.usageTokens} rows={rows("tokens")} />
      </div>
    </Section>
  );
}

function Account() {
  const text = useText();
  const session = useSession().data;
  const leave = useMutation({
    mutationFn: () => data(service.DELETE("/v1/session")),
    // Nothing of what was read stays in this tab for whoever comes next.
    onSuccess: () => {
      forget();
      window.location.assign("/");
    },
  });
  if (!session) return null;
  return (
    <Section title={text.settings.account}>
      <p className="mb-3 text-ink-2">{session.access === "off" ? text.settings.localUser : text.settings.user(session.user ?? "")}</p>
      <div className="flex flex-wrap items-center gap-2">
        {(session.access === "keys" || session.access === "oidc") && <button type="button" className="btn" onClick={() => leave.mutate()}><LogOut size={16} aria-hidden />{text.settings.signOut}</button>}
        <a href="/v1/me/data" download className="btn">{text.settings.export}</a>
      </div>
      <p className="mt-5 text-[13px] text-ink-3">{text.settings.version(session.version)}</p>
    </Section>
  );
}
