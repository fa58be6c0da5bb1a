/** Asks for the key with which the service lets one in, or leads to where one signs in. */
import { type FormEvent, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { defaultStringifySearch, useRouterState } from "@tanstack/react-router";
import { ServiceError, data, service } from "@/api/client";
import { type Messages, useText } from "@/i18n";
import { Page } from "@/parts/Shell";
import { Told } from "@/parts/states";

export default function SignIn({ elsewhere }: { elsewhere: boolean }) {
  return elsewhere ? <SignInElsewhere /> : <SignInByKey />;
}

/** Why one comes back from the issuer without being signed in, as the service names it in the address. */
type Reason = keyof Messages["signIn"]["reasons"];

function SignInElsewhere() {
  const text = useText();
  const here = useRouterState({ select: (state) => state.location });
  const { sign_in: reason, ...search } = here.search as { sign_in?: Reason };
  const back = `${here.pathname}${defaultStringifySearch(search)}`;
  return (
    <Page title={text.signIn.title}>
      <div className="card mx-auto mt-[12vh] max-w-md space-y-4 p-7">
        <h1 className="text-xl font-semibold">{text.signIn.title}</h1>
        <p className="text-ink-2">{text.signIn.elsewhere}</p>
        {reason && <Told error={new Error(text.signIn.reasons[reason] ?? text.signIn.reasons.unauthorized)} />}
        <a className="btn btn-primary w-full" href={`/v1/session/login?back=${encodeURIComponent(back)}`}>
          {text.signIn.submit}
        </a>
      </div>
    </Page>
  );
}

function SignInByKey() {
  const text = useText();
  const client = useQueryClient();
  const [key, setKey] = useState("");
  const enter = useMutation({
    mutationFn: () => data(service.POST("/v1/session", { body: { key: key.trim() } })),
    onSuccess: () => client.invalidateQueries(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  const wrong = enter.error instanceof ServiceError && enter.error.status === 401;
  // The session was asked for again meanwhile: whoever is still here has not been let in.
  const refused = wrong ? new Error(text.signIn.wrong) : enter.isSuccess ? new Error(text.signIn.noCookie) : enter.error;
  return (
    <Page title={text.signIn.title}>
      <form onSubmit={submit} className="card mx-auto mt-[12vh] max-w-md space-y-4 p-7">
        <h1 className="text-xl font-semibold">{text.signIn.title}</h1>
        <p className="text-ink-2">{text.signIn.lead}</p>
        <label className="block">
          <span className="mb-1 block text-[14px] font-medium">{text.signIn.key}</span>
          <input
            className="field font-mono"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={key}
            onChange={(event) => setKey(event.target.value)}
            aria-invalid={wrong || undefined}
          />
        </label>
        <Told error={refused} />
        <button type="submit" className="btn btn-primary w-full" disabled={enter.isPending}>
          {text.signIn.submit}
        </button>
        <p className="text-[13px] text-ink-3">
          {text.signIn.howTo} <code className="rounded bg-sunken px-1">quaere keys create</code>
        </p>
      </form>
    </Page>
  );
}
