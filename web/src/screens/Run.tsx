/** A run: watched while it goes on, read when it is over, at one address. */
import { Suspense } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { useText } from "@/i18n";
import type { Followed } from "@/log/feed";
import { useFollowed } from "@/log/useRun";
import { isOver } from "@/log/view";
import { later } from "@/parts/later";
import { outcomeOf } from "@/parts/outcome";
import { Page } from "@/parts/Shell";
import { Failed, Loading } from "@/parts/states";
import { Live } from "./Live";

// Whoever watches a run needs its report only when it is over.
const ReportView = later(() => import("./Report"));

const route = getRouteApi("/runs/$id");

export default function RunScreen() {
  const { id } = route.useParams();
  const text = useText();
  const followed = useFollowed(id);
  const { view, link, error, ended } = followed;
  if (link === "refused" && error) return <Failed error={error} />;
  if (view.seq === 0 && link === "offline") return <Failed error={new Error(text.states.unreachable)} />;
  if (view.seq === 0 && followed.queued === null && !ended) {
    return <Page title={text.common.loading} wide><Loading rows={6} /></Page>;
  }
  const over = isOver(view) || ended !== "";
  return (
    <Page title={view.question || text.live.waiting} wide>
      <Announcement followed={followed} over={over} />
      {over ? <Suspense fallback={<Loading rows={8} />}><ReportView followed={followed} /></Suspense> : <Live followed={followed} />}
    </Page>
  );
}

/** What whoever hears the page has to be told although nothing has the focus: that the run waits, or what it came to. */
function Announcement({ followed, over }: { followed: Followed; over: boolean }) {
  const text = useText();
  const { inquiry } = followed.view;
  const waits = inquiry && (inquiry.kind === "topics" ? text.inquiry.topics : text.inquiry.clarification);
  return <p role="status" className="sr-only" data-announced>{over ? outcomeOf(followed, text) : waits}</p>;
}
