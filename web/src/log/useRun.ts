import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ServiceError } from "@/api/client";
import { type Followed, type RunFeed, feedOf } from "./feed";

/** Follow a run as long as the component is shown; where the session has ended, the page asks to sign in again. */
export function useFollowed(runId: string): Followed & { feed: RunFeed } {
  const feed = useMemo(() => feedOf(runId), [runId]);
  const followed = useSyncExternalStore(feed.subscribe, feed.snapshot);
  const client = useQueryClient();
  const { error } = followed;
  useEffect(() => {
    if (error instanceof ServiceError && error.status === 401) void client.invalidateQueries({ queryKey: ["session"] });
  }, [error, client]);
  return { ...followed, feed };
}
