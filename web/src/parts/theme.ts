/** The look of the page: as the system says, or as it was chosen here. */
import { keep, kept } from "./browser";

export const THEMES = ["auto", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = "quaere.theme";

export function keptTheme(): Theme {
  const chosen = kept("localStorage", KEPT_AS) as Theme | null;
  return chosen && THEMES.includes(chosen) ? chosen : "auto";
}

/** Show the page as `theme`, now and from now on. */
export function chooseTheme(theme: Theme): void {
  keep("localStorage", KEPT_AS, theme);
  showTheme(theme);
}

export function showTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
