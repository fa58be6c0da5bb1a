/** How the connection to a run stands. */
import { useText } from "@/i18n";
import type { Followed } from "@/log/feed";
import { useOnline } from "./hooks";

export function LinkDot({ followed }: { followed: Followed }) {
  const text = useText();
  const { lastSeq, view } = followed;
  // A connection that is cut says nothing for a while, which the browser knows before.
  const online = useOnline();
  const link = online || followed.link === "over" ? followed.link : "offline";
  const behind = link === "live" && lastSeq > view.seq;
  const tone = { connecting: "bg-part", live: "bg-good", offline: "bg-bad", over: "bg-ink-3", refused: "bg-bad" }[link];
  return (
    <span className="inline-flex items-center gap-1.5" data-link={link}>
      <span className={`size-2 rounded-full ${tone} ${link === "connecting" ? "pulse" : ""}`} aria-hidden />
      {behind ? text.link.catching(view.seq) : text.link[link]}
    </span>
  );
}
