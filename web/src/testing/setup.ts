/** What browsers have and jsdom has not. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
HTMLElement.prototype.showPopover ??= function show(this: HTMLElement) {
  this.style.display = "block";
};
HTMLElement.prototype.scrollIntoView ??= () => undefined;
window.scrollTo = () => undefined;
