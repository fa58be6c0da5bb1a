/** A SearXNG and the pages that it finds, on loopback, and an address that hears of runs; answers can be held back. */
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** What a page would do to a reader whose page took its words for markup. */
export const HOSTILE = `<img src=x onerror="document.body.id='taken'">`;

const PAGES: Record<string, { title: string; text: string }> = {
  "/mill": {
    title: "The tide mill of Carrow",
    text: "The tide mill of Carrow was built in 1781 by Ada Finch. It ground barley for the ships of the bay until its sluice broke in 1934.",
  },
  "/storks": {
    title: "The storks of Carrow",
    text: "White storks return to Carrow in March. They nest on the roof of the tide mill, which Ada Finch built, and leave in August.",
  },
  "/kiln": {
    title: `${HOSTILE} The lime kiln of Orrell`,
    text: `The lime kiln of Orrell was fired ${HOSTILE} in 1843 by Tom Ware. [Its keeper](javascript:document.body.id='taken') burned chalk there until 1901.`,
  },
};

export class SearchEngine {
  /** Settings with which a service asks it and may read its pages. */
  settings: Record<string, string> = {};
  /** Whether what it is told of runs is taken. */
  hears = false;
  #server: Server | undefined;
  #held: (() => void)[] | null = null;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, "http://engine");
      const page = PAGES[pathname];
      if (pathname === "/search") {
        const answer = () => response.setHeader("Content-Type", "application/json").end(JSON.stringify(this.#results()));
        if (this.#held) this.#held.push(answer);
        else answer();
      } else if (pathname === "/told") response.writeHead(this.hears ? 204 : 500).end();
      else if (page) response.setHeader("Content-Type", "text/html; charset=utf-8").end(`<!doctype html><title>${escaped(page.title)}</title><div style="height: 4000px"></div><main><h1>${escaped(page.title)}</h1><p>${escaped(page.text)}</p></main>`);
      else response.writeHead(404).end();
    });
    await new Promise<void>((listening) => this.#server!.listen(0, "127.0.0.1", listening));
    const { port } = this.#server!.address() as AddressInfo;
    this.settings = { SEARXNG_BASE_URL: `http://127.0.0.1:${port}`, QUAERE_READ_NETWORKS: "127.0.0.0/8", QUAERE_READ_PORTS: String(port) };
  }

  /** Answer no search until `release`. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((closed) => this.#server?.close(closed));
  }

  #results() {
    const pages = Object.entries(PAGES).map(([path, { title, text }], at) => ({
      url: `${this.settings.SEARXNG_BASE_URL}${path}`,
      title,
      content: text.slice(0, 80),
      engine: "duckduckgo",
      score: 2 - at / 10,
      category: "general",
    }));
    const results = [...pages, { ...pages[0], url: "javascript:document.body.id='taken'", title: HOSTILE }];
    return { query: "", results, answers: [], infoboxes: [], unresponsive_engines: [] };
  }
}
