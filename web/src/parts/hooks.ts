import { useEffect, useState, useSyncExternalStore } from "react";

/** Return `value` once it has not changed for `ms`. */
export function useDelayed<Value>(value: Value, ms: number): Value {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return late;
}

/** Return the time in ms, anew each second as long as `going`. */
export function useNow(going: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!going) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [going]);
  return now;
}

/** Return whether the browser has a connection at all. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed);
      window.addEventListener("offline", changed);
      return () => {
        window.removeEventListener("online", changed);
        window.removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
  );
}
