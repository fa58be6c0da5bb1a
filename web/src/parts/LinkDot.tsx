/** How the connection to a run stands. */
import { useText } from "@/i18n";
import type { Followed } from "@/log/feed";

export function LinkDot({ followed }: { followed: Followed }) {
  const text = useText();
  const { link, lastSeq, view } = followed;
  const behind = link === "live" && lastSeq > view.seq;
  const tone = { connecting: "bg-part", live: "bg-good", offline: "bg-bad", over: "bg-ink-3", refused: "bg-bad" }[link];
  return (
    <span className="inline-flex items-center gap-1.5" data-link={link}>
      <span className={`size-2 rounded-full ${tone} ${link === "connecting" ? "pulse" : ""}`} aria-hidden />
      {behind ? text.link.catching(view.seq) : text.link[link]}
    </span>
  );
}
