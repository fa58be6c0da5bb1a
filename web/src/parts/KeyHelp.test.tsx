import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "@/i18n";
import { shown } from "@/testing/shown";
import KeyHelp from "./KeyHelp";

// jsdom has the element and not what shows it.
beforeEach(() => Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() }));
afterEach(() => localStorage.clear());

it.each([
  ["en", "Ctrl K"],
  ["de", "Strg K"],
])("names keys as they are written on keyboards (%s)", async (code, written) => {
  localStorage.setItem("quaere.language", code);
  await shown(
    <LanguageProvider>
      <KeyHelp close={vi.fn()} />
    </LanguageProvider>,
  );
  expect(await screen.findByText(written)).toBeTruthy();
});
