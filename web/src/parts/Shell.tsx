/** The frame of every screen: where one can go, and how the service is doing. */
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { FileCheck2, Folder, History, MessagesSquare, Search, Settings, ShieldCheck } from "lucide-react";
import { useSession } from "@/api/queries";
import { useText } from "@/i18n";
import { useOnline } from "./hooks";
import { useKeys } from "./keys";
import { later } from "./later";
import { useTitle } from "./title";

const KeyHelp = later(() => import("./KeyHelp"));
const Palette = later(() => import("./Palette"));

export function Shell({ children }: { children: ReactNode }) {
  const text = useText();
  const session = useSession();
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  const navigate = useNavigate();
  useKeys({
    "?": () => setHelp(true),
    "g a": () => void navigate({ to: "/" }),
    "g r": () => void navigate({ to: "/runs" }),
  });
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPalette(true);
      }
    };
    window.addEventListener("keydown", open);
    return () => window.removeEventListener("keydown", open);
  }, []);
  const places = [
    { to: "/", label: text.nav.ask, icon: Search },
    { to: "/runs", label: text.nav.runs, icon: History },
    { to: "/chat", label: text.nav.chat, icon: MessagesSquare },
    { to: "/check", label: text.nav.check, icon: FileCheck2 },
    { to: "/folders", label: text.nav.folders, icon: Folder },
    { to: "/settings", label: text.nav.settings, icon: Settings },
  ] as const;
  const admin = session.data?.rights.includes("admin");
  return (
    <div className="min-h-dvh pb-16 sm:pb-0 sm:ps-[4.5rem] xl:ps-52 print:p-0">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:m-2 focus:rounded focus:bg-surface focus:p-2">
        {text.nav.skip}
      </a>
      <nav
        aria-label={text.nav.label}
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-paper/95 backdrop-blur sm:inset-x-auto sm:inset-y-0 sm:start-0 sm:w-[4.5rem] sm:flex-col sm:overflow-y-auto sm:border-t-0 sm:border-e sm:px-2 sm:py-4 xl:w-52 xl:px-3"
      >
        <Link to="/" aria-label="Quaere" className="mb-5 hidden items-center gap-2.5 px-2 text-[17px] font-semibold tracking-tight text-ink no-underline sm:flex sm:justify-center xl:justify-start">
          <img src="/mark.svg" alt="" width={28} height={28} />
          <span className="hidden xl:inline">Quaere</span>
        </Link>
        <ul className="flex w-full flex-1 justify-around sm:flex-col sm:justify-start sm:gap-1">
          {places.map(({ to, label, icon: Icon }) => (
            <Place key={to} to={to} label={label} icon={<Icon size={19} aria-hidden />} />
          ))}
          {admin && <Place to="/admin" label={text.nav.admin} icon={<ShieldCheck size={19} aria-hidden />} />}
        </ul>
        <button type="button" className="btn btn-quiet hidden text-[13px] sm:inline-flex xl:justify-start" onClick={() => setHelp(true)}>
          <kbd className="rounded border border-line px-1.5 font-sans">?</kbd>
          <span className="hidden xl:inline">{text.keys.title}</span>
          <span className="sr-only xl:hidden">{text.keys.show}</span>
        </button>
      </nav>
      <Offline />
      <main id="content" tabIndex={-1} className="outline-none">{children}</main>
      <Suspense>
        {help && <KeyHelp close={() => setHelp(false)} />}
        {palette && <Palette close={() => setPalette(false)} />}
      </Suspense>
    </div>
  );
}

function Place({ to, label, icon }: { to: string; label: string; icon: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const active = to === "/" ? path === "/" : path.startsWith(to);
  return (
    <li className="min-w-0">
      <Link
        to={to}
        aria-current={active ? "page" : undefined}
        className={`flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg px-1 text-center text-[11px] leading-tight no-underline sm:min-h-12 xl:min-h-9 xl:flex-row xl:justify-start xl:gap-3 xl:px-2.5 xl:text-[14px] ${
          active ? "font-semibold text-accent xl:bg-accent-soft" : "text-ink-2 hover:text-ink xl:hover:bg-sunken"
        }`}
      >
        {icon}
        {label}
      </Link>
    </li>
  );
}

function Offline() {
  const text = useText();
  const away = !useOnline();
  if (!away) return null;
  return (
    <p role="status" className="sticky top-0 z-20 bg-part-soft px-4 py-2 text-center text-[14px] text-part">
      {text.states.offline}
    </p>
  );
}

/** A screen's column; `title` is what the browser shows for it, too. */
export function Page({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  useTitle(title);
  return <div className={`mx-auto px-4 py-6 sm:px-8 sm:py-9 ${wide ? "max-w-[88rem]" : "max-w-4xl"}`}>{children}</div>;
}

/** A dialog that is open as long as it is there. */
export function Dialog({ label, close, children }: { label: string; close: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
      className="w-[min(34rem,calc(100vw-2rem))] rounded-2xl border border-line bg-surface p-0 shadow-card"
    >
      {children}
    </dialog>
  );
}
