/** What the browser shows for a screen. */
import { useEffect } from "react";

/** Show `title` for the screen; nothing but the product's name where it is empty, and leave it as it is where there is none. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title ? `${title} · Quaere` : "Quaere";
  }, [title]);
}
