/** Keys that do something while nobody types. */
import { useEffect, useRef } from "react";

/** Return whether `target` takes text, so that letters belong to it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
}

const SEQUENCE_MS = 900;

/** Call what `keys` names by key, or by two keys one after the other such as `g r`. */
export function useKeys(keys: Record<string, () => void>): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    let first = "";
    let at = 0;
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const both = performance.now() - at < SEQUENCE_MS ? `${first} ${event.key}` : "";
      const act = held.current[both] ?? held.current[event.key];
      first = event.key;
      at = performance.now();
      if (!act || document.querySelector("dialog[open]")) return;
      // The browser closes what is open at Escape, such as a menu.
      if (event.key !== "Escape") event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
