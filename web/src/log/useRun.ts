import { useMemo, useSyncExternalStore } from "react";
import { type Followed, type RunFeed, feedOf } from "./feed";

/** Follow a run as long as the component is shown. */
export function useFollowed(runId: string): Followed & { feed: RunFeed } {
  const feed = useMemo(() => feedOf(runId), [runId]);
  const followed = useSyncExternalStore(feed.subscribe, feed.snapshot);
  return { ...followed, feed };
}
