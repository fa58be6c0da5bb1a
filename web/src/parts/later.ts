import { type ComponentType, lazy } from "react";
import { pause } from "@/api/pause";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * A part that is fetched when it is first shown. While the service is gone it is waited for, and all else stays on the
 * page; only what a service that is there does not have ends in an error.
 */
export function later<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => patiently(load));
}

async function patiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch {
      if (await isServed()) return load();
    }
    await pause(wait);
  }
}

async function isServed(): Promise<boolean> {
  const answer = await fetch("/health/live", { cache: "no-store" }).catch(() => null);
  return answer?.ok ?? false;
}
