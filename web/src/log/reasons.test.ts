import { describe, expect, it } from "vitest";
import { de } from "@/i18n/de";
import { en } from "@/i18n/en";
import { retold } from "./reasons";

describe("reasons of verdicts", () => {
  it.each([
    ["its source has it word for word", "die Quelle sagt es wörtlich"],
    ["not in its sources: 15 hectares; wording differs", "nicht in den angegebenen Quellen: 15 hectares; anders formuliert"],
    ["says the opposite of its source, or puts it differently", "sagt das Gegenteil der Quelle, oder drückt es anders aus"],
    ["“a {b} (c)” against “d”", "„a {b} (c)“ gegen „d“"],
    ["it cites nothing", "er nennt keine Quelle"],
    ["The page is about another town.", "The page is about another town."],
    ["", ""],
  ])("are told in the language of the page: %s", (reason, told) => {
    expect(retold(reason, de.reasons)).toBe(told);
    expect(retold(reason, en.reasons)).toBe(reason);
  });
});

describe("findings of the doctor", () => {
  it.each([
    ["can be read", "kann gelesen werden"],
    ["3 files, 0 of them not readable", "3 Dateien, davon 0 nicht lesbar"],
    ["for ranking and topics, not measured for sentences; not asked", "für ranking and topics, für sentences nicht vermessen; nicht gefragt"],
    ["none is set; set QUAERE_DOCS, or use --docs with a command", "keiner eingerichtet; setzen Sie QUAERE_DOCS, oder geben Sie einem Befehl --docs mit"],
    ["keeps nothing (DB index is out of range); start the server, or fix or unset QUAERE_CACHE_URL", "behält nichts (DB index is out of range); starten Sie den Server, oder berichtigen oder löschen Sie QUAERE_CACHE_URL"],
    ["QUAERE_DATA_DIR, QUAERE_DOCS", "QUAERE_DATA_DIR, QUAERE_DOCS"],
  ])("are told in the language of the page: %s", (message, told) => {
    expect(retold(message, de.doctor.told)).toBe(told);
    expect(retold(message, en.doctor.told)).toBe(message);
  });
});

describe("warnings of a run", () => {
  it.each([
    ["brave: no answer within 8 s", "brave: keine Antwort innerhalb von 8 s"],
    ["brave refuses the request (401); check its key.", "brave lehnt die Anfrage ab (401); prüfen Sie den Schlüssel."],
    ["a.pdf crashed its parser (exit 1); save it in another format", "a.pdf hat den Leser zum Absturz gebracht (Code 1); speichern Sie die Datei in einem anderen Format"],
    ["Something that nobody has translated", "Something that nobody has translated"],
  ])("are told in the language of the page: %s", (message, told) => {
    expect(retold(message, de.warnings)).toBe(told);
    expect(retold(message, en.warnings)).toBe(message);
  });
});
