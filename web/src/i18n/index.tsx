/** The language of the page: its texts, its direction, and how it writes dates and numbers. */
import { type ReactNode, createContext, useContext, useEffect, useMemo, useState } from "react";
import { keep, kept } from "@/parts/browser";
import { type Messages, en } from "./en";

export type { Messages };

/** The languages there are; each but English is fetched when it is chosen. */
export const LANGUAGES: Record<string, { name: string; load: () => Promise<Messages> }> = {
  en: { name: "English", load: async () => en },
  de: { name: "Deutsch", load: async () => (await import("./de")).de },
};

interface Language {
  messages: Messages;
  choose: (code: string) => void;
}

const Context = createContext<Language>({ messages: en, choose: () => undefined });
const KEPT_AS = "quaere.language";

function preferred(): string {
  const chosen = kept("localStorage", KEPT_AS);
  const wanted = chosen ? [chosen] : navigator.languages.map((each) => each.slice(0, 2));
  return wanted.find((code) => code in LANGUAGES) ?? "en";
}

/** Provide the language that was chosen, else that of the browser. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [code, setCode] = useState(preferred);
  const [messages, setMessages] = useState<Messages | null>(code === "en" ? en : null);
  useEffect(() => {
    let current = true;
    void LANGUAGES[code]?.load().then((loaded) => current && setMessages(loaded));
    return () => {
      current = false;
    };
  }, [code]);
  useEffect(() => {
    if (!messages) return;
    document.documentElement.lang = messages.code;
    document.documentElement.dir = messages.dir;
  }, [messages]);
  const value = useMemo(() => {
    const choose = (chosen: string) => {
      keep("localStorage", KEPT_AS, chosen);
      setCode(chosen);
    };
    return messages && { messages, choose };
  }, [messages]);
  return value && <Context value={value}>{children}</Context>;
}

/** Return the texts of the page. */
export function useText(): Messages {
  return useContext(Context).messages;
}

/** Return what chooses another language by its code. */
export function useChooseLanguage(): (code: string) => void {
  return useContext(Context).choose;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LTR = /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Han}/u;

/** Return the direction that `text` is read in, by its first letter of any direction. */
export function directionOf(text: string): "ltr" | "rtl" {
  for (const character of text) {
    if (RTL.test(character)) return "rtl";
    if (LTR.test(character)) return "ltr";
  }
  return "ltr";
}

/** Return how long ago `moment` (ISO 8601) was, in words of the language `code`; what is just over, "1 second ago", for "now" is read with the words before it. */
export function ago(moment: string, code: string, now = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return new Date(moment).toLocaleDateString(code, { dateStyle: "medium" });
  const [unit, size] = unitOf(seconds);
  const format = new Intl.RelativeTimeFormat(code, { numeric: "auto" });
  return format.format(Math.round((unit === "second" ? (seconds > 0 ? 0 : Math.min(-1, seconds)) : seconds) / size), unit);
}

/** Return a day, such as `2031-05-04`, as the language `code` writes it where the year is clear. */
export function dayIn(day: string, code: string): string {
  return new Date(day).toLocaleDateString(code, { day: "numeric", month: "short", timeZone: "UTC" });
}

/** Return when `seconds` will have passed, in words of the language `code`; never too early. */
export function ahead(seconds: number, code: string): string {
  const [unit, size] = unitOf(seconds);
  return new Intl.RelativeTimeFormat(code).format(Math.ceil(seconds / size), unit);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** Return the largest unit of time that `seconds` fill, and its length in seconds. */
function unitOf(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  return UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
}

const formats = new Map<string, Intl.NumberFormat>();

/** Write `value` as `options` say; what does so is made once, which takes longer than all its uses. */
function written(value: number, code: string, options: Intl.NumberFormatOptions): string {
  const name = `${code} ${JSON.stringify(options)}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(code, options);
  formats.set(name, format);
  return format.format(value);
}

/** Return a sum of dollars; small ones with more digits, nothing as such. */
export function dollars(sum: number, code: string): string {
  const digits = sum > 0 && sum < 0.1 ? 4 : 2;
  return written(sum, code, { style: "currency", currency: "USD", maximumFractionDigits: digits });
}

/** Return a share of 1 in percent. */
export function percent(share: number, code: string): string {
  return written(share, code, { style: "percent" });
}

/** Return a number that little room is left for, as in 12K. */
export function briefly(value: number, code: string): string {
  return written(value, code, { notation: "compact" });
}
