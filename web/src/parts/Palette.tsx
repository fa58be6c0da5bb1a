/** Go anywhere by typing a few letters of it. */
import { useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { useSession } from "@/api/queries";
import { useRuns } from "@/api/runs";
import { useText } from "@/i18n";
import { Dialog } from "./Shell";

export default function Palette({ close }: { close: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [place, setPlace] = useState(0);
  const runs = useRuns({});
  const words = typed.toLowerCase();
  const admin = useSession().data?.rights.includes("admin");
  const screens = [
    ["/", text.nav.ask],
    ["/runs", text.nav.runs],
    ["/chat", text.nav.chat],
    ["/check", text.nav.check],
    ["/folders", text.nav.folders],
    ["/settings", text.settings.title],
    ...(admin ? [["/admin", text.nav.admin] as const] : []),
  ] as const;
  const found = [
    ...screens.map(([to, label]) => ({ to: to as string, label })),
    ...(runs.data?.pages.flatMap((page) => page.runs) ?? []).map((run) => ({ to: `/runs/${run.run_id}`, label: run.question })),
  ].filter(({ label }) => label.toLowerCase().includes(words)).slice(0, 9);
  const go = (to: string) => {
    close();
    void navigate({ to });
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setPlace((now) => Math.max(0, Math.min(found.length - 1, now + step)));
    if (event.key === "Enter" && found[place]) go(found[place].to);
    if (step || event.key === "Enter") event.preventDefault();
  };
  return (
    <Dialog label={text.keys.palette} close={close}>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found[place] ? `palette-${place}` : undefined}
        aria-label={text.keys.paletteHint}
        placeholder={text.keys.paletteHint}
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
      />
      <ul id="palette-list" role="listbox" aria-label={text.keys.palette} className="max-h-80 overflow-auto p-2">
        {found.map(({ to, label }, at) => (
          <li
            key={to}
            id={`palette-${at}`}
            role="option"
            aria-selected={at === place}
            className={`cursor-pointer truncate rounded-lg px-3 py-2 ${at === place ? "bg-accent-soft text-accent" : ""}`}
            onMouseMove={() => setPlace(at)}
            onClick={() => go(to)}
          >
            {label}
          </li>
        ))}
        {found.length === 0 && <li className="px-3 py-2 text-ink-2">{text.keys.noMatch}</li>}
      </ul>
    </Dialog>
  );
}
