/**
 * What the browser keeps for the page: in this tab, or for good.
 *
 * A browser that is told to block cookies refuses both at the first look at them. What it
 * refuses is then kept until the page is left.
 */
type Place = "sessionStorage" | "localStorage";

const refused = new Map<string, string>();

/** Return what was kept in `place` as `name`; null where there is nothing. */
export function kept(place: Place, name: string): string | null {
  try {
    return refused.get(name) ?? window[place].getItem(name);
  } catch {
    return null;
  }
}

export function keep(place: Place, name: string, value: string): void {
  try {
    window[place].setItem(name, value);
    refused.delete(name);
  } catch {
    refused.set(name, value);
  }
}

/** Forget what the tab keeps; all of it where there is no `name`. */
export function forget(name?: string): void {
  if (name) refused.delete(name);
  else refused.clear();
  try {
    if (name) sessionStorage.removeItem(name);
    else sessionStorage.clear();
  } catch {
    // There was nothing.
  }
}
