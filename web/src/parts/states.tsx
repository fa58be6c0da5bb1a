/** What is shown where there is nothing to show: loading, empty, refused, failed, away. */
import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CloudOff, Lock, SearchX } from "lucide-react";
import { ServiceError, Unreachable } from "@/api/client";
import { ahead, useText } from "@/i18n";
import { useTitle } from "./title";

export function Loading({ rows = 3 }: { rows?: number }) {
  const text = useText();
  return (
    <div role="status" aria-label={text.common.loading} className="space-y-3 py-2">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton h-5" style={{ width: `${92 - 14 * (row % 4)}%` }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  /** Whether it stands below the heading of its screen, and not in its place. */
  below?: boolean;
  children?: ReactNode;
}

export function Empty({ icon, title, below = false, children }: EmptyProps) {
  const Heading = below ? "h2" : "h1";
  useTitle(below ? null : title);
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-16 text-center">
      {icon && <div className="text-ink-3" aria-hidden>{icon}</div>}
      <Heading className="text-lg font-semibold">{title}</Heading>
      <div className="text-ink-2">{children}</div>
    </div>
  );
}

/** Where to go from a place where there is nothing. */
export function Elsewhere() {
  const text = useText();
  return (
    <span className="mt-4 flex justify-center gap-2">
      <Link to="/" className="btn btn-primary">{text.keys.ask}</Link>
      <Link to="/runs" className="btn">{text.nav.runs}</Link>
    </span>
  );
}

export function Banner({ tone, children }: { tone: "good" | "part" | "bad" | "unsure"; children: ReactNode }) {
  const tones = {
    good: "bg-good-soft text-good",
    part: "bg-part-soft text-part",
    bad: "bg-bad-soft text-bad",
    unsure: "bg-unsure-soft text-unsure",
  };
  return <div className={`tinted rounded-lg px-3.5 py-2.5 text-[14px] ${tones[tone]}`}>{children}</div>;
}

/** Say what became of a request that failed, and what can be done about it. */
export function Failed({ error, retry, below = false }: { error: Error; retry?: () => void; below?: boolean }) {
  const text = useText();
  const refused = error instanceof ServiceError ? error : null;
  // What is refused for what it asks is refused again.
  const again = retry && (refused?.retryable ?? true) && (
    <button type="button" className="btn" onClick={retry}>
      {text.common.retry}
    </button>
  );
  if (error instanceof Unreachable) {
    return <Empty below={below} icon={<CloudOff size={28} />} title={text.states.unreachable}>{again}</Empty>;
  }
  if (refused?.status === 403) {
    return <Empty below={below} icon={<Lock size={28} />} title={text.states.forbidden}>{text.states.forbiddenWhy}</Empty>;
  }
  if (refused?.status === 404) {
    return <Empty below={below} icon={<SearchX size={28} />} title={text.states.notFound}>{text.states.notFoundWhy} <Elsewhere /></Empty>;
  }
  return (
    <Empty below={below} icon={<CircleAlert size={28} />} title={text.states.failed}>
      <p className="mb-4">{told(error, text)}</p>
      {again}
      {refused?.requestId && <p className="mt-4 text-xs text-ink-3">{text.states.request(refused.requestId)}</p>}
    </Empty>
  );
}

/** Say next to a field or a button that it did not work. */
export function Told({ error }: { error: Error | null }) {
  const text = useText();
  if (!error) return null;
  return (
    <p role="alert" className="flex items-start gap-2 text-[14px] text-bad">
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      {told(error, text)}
    </p>
  );
}

function told(error: Error, text: ReturnType<typeof useText>): string {
  if (error instanceof Unreachable) return text.states.unreachable;
  const wait = error instanceof ServiceError && error.status === 429 ? error.retryAfter : null;
  return wait === null ? error.message : `${error.message} ${text.states.again(ahead(wait, text.code))}`;
}
