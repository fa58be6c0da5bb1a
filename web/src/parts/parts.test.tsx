import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { reduceAll } from "@/log/reduce";
import type { Sentence } from "@/log/events";
import { isOver, sentencesOf } from "@/log/view";
import { LOGS, logOf } from "@/testing/logs";
import { shown } from "@/testing/shown";
import { Answer, type Selection } from "./Answer";
import { Cost } from "./Cost";
import { InShort } from "./InShort";
import InquiryCard from "./InquiryCard";
import { Checklist } from "./Checklist";
import { Inline, lastWord } from "./Inline";
import { Phases, Timeline } from "./Timeline";
import { SourceCard } from "./SourceCard";
import { Question } from "./Question";
import { Warnings } from "./Warnings";
import { byMessage } from "@/log/warnings";
import { Meters } from "./Meters";
import { ServiceError, Unreachable } from "@/api/client";
import { Failed } from "./states";
import { EXTRACTIVE, askable, blocksOf, inOneLine, openable, shared } from "./answer";

const answer = (name: string, selection: Selection = {}, select = vi.fn()) => {
  const view = reduceAll(logOf(name));
  const { citations } = view.report!;
  return <Answer sentences={sentencesOf(view)} citations={citations} evidence={view.evidence} selection={selection} select={select} runId="r" />;
};

describe("a request that failed", () => {
  it.each([
    [new ServiceError(422, "invalid_request", "status: must be known", false, null, ""), 0],
    [new ServiceError(500, "error", "Internal error", true, null, ""), 1],
    [new Unreachable("away"), 1],
    [new Error("broken"), 1],
  ])("is tried again where that may help: %s", async (error, buttons) => {
    await shown(<Failed error={error} retry={() => {}} />);
    expect(screen.queryAllByRole("button")).toHaveLength(buttons);
  });
});

describe("phases and loops (R3.8)", () => {
  it.each(LOGS)("are drawn at every event of %s", async (name) => {
    const log = logOf(name);
    const phase = log.findIndex((event) => event.type === "phase_started");
    const view = reduceAll(log.slice(0, phase + 1));
    const { container } = await shown(<Phases view={view} />);
    if (phase < 0) return;
    const current = container.querySelector("[aria-current=step]");
    expect(current?.textContent).toBeTruthy();
  });

  it("tell the phase, the loop, its limit, and the sources considered and read", async () => {
    const log = logOf("long");
    const at = log.findLastIndex((event) => event.type === "phase_started" && event.phase === "iterating");
    const view = reduceAll(log.slice(0, at + 1));
    expect(isOver(view)).toBe(false);
    await shown(<Phases view={view} />);
    expect(screen.getByText(new RegExp(`Loop ${view.loop} of ${view.maxLoops}`))).toBeTruthy();
    expect(screen.getByText("Searching again").getAttribute("aria-current")).toBe("step");
    expect(screen.getByRole("status").textContent).toContain(`${view.considered} sources found, ${view.read} read`);
  });

  it("become one line for each loop, with what it asked and found", async () => {
    const view = reduceAll(logOf("long"));
    const { container } = await shown(<Timeline view={view} />);
    const loops = new Set(view.searches.map((search) => search.loop)).size;
    expect(container.querySelectorAll("details").length).toBeLessThan(loops);
    await userEvent.click(screen.getByRole("button", { name: /earlier loops/ }));
    expect(container.querySelectorAll("details").length).toBe(loops);
    // jsdom opens a details element and does not tell of it.
    const first = container.querySelector("details")!;
    first.open = true;
    fireEvent(first, new Event("toggle"));
    expect(container.textContent).toContain(view.searches[0]!.query);
  });

  it("name a query once, whatever services answered it, and say that others have yet to", async () => {
    const [begun] = logOf("long");
    const searching = { ...begun!, seq: 2, type: "phase_started", phase: "searching", loop: 1, max_loops: 3, message: "", remaining: {} };
    const from = (provider: string, seq: number) =>
      ({ ...begun!, seq, type: "search_finished", loop: 1, query: "tide mill", intent: "raw", provider, hits: 1, fresh: 1, seconds: 1, retries: 0, error: "", found: [], known: [] });
    const read = { ...searching, seq: 5, phase: "reading" };
    const events = [begun!, searching, from("folder", 3), from("wikipedia", 4), read] as never[];
    const during = await shown(<Timeline view={reduceAll(events.slice(0, 4))} />);
    expect(during.getAllByText("tide mill")).toHaveLength(1);
    expect(during.getByText("1 search, 2 new sources")).toBeTruthy();
    expect(during.getByText("Waiting for further answers")).toBeTruthy();
    during.unmount();
    const after = await shown(<Timeline view={reduceAll(events)} />);
    expect(after.queryByText("Waiting for further answers")).toBeNull();
  });

  it("stand in a lane for each topic that is researched", async () => {
    const view = reduceAll(logOf("researchers"));
    await shown(<Timeline view={view} />);
    for (const topic of view.topics) expect(screen.getAllByText(topic).length).toBeGreaterThan(0);
  });
});

describe("warnings and errors (R3.8)", () => {
  it("stay where they are while others come", async () => {
    const { warnings } = reduceAll(logOf("degraded"));
    expect(warnings.length).toBeGreaterThan(1);
    const { container } = await shown(<Warnings warnings={warnings} titled />);
    const items = [...container.querySelectorAll("section > ul > li, section > details > ul > li")].map((item) => item.textContent);
    byMessage(warnings).forEach(({ message, subjects }, at) => {
      expect(items[at]).toContain(message);
      for (const subject of subjects) expect(items[at]).toContain(subject);
    });
  });
});

describe("citations and usage (R3.8)", () => {
  it.each(LOGS.filter((name) => reduceAll(logOf(name)).report))("are in the order of the claims in %s", async (name) => {
    const { container } = await shown(answer(name));
    const numbers = [...container.querySelectorAll("[data-cite]")].map((cite) => Number(cite.textContent));
    const firsts = numbers.filter((number, at) => numbers.indexOf(number) === at);
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
    const known = reduceAll(logOf(name)).report!.citations.map((citation) => citation.id);
    expect(numbers.every((number) => known.includes(number))).toBe(true);
  });

  it("show what the run took", async () => {
    const { report } = reduceAll(logOf("web"));
    const { container } = await shown(<Cost report={report!} />);
    expect(container.textContent).toContain(report!.spend.tokens.toLocaleString("en"));
    expect(container.querySelectorAll("tbody tr")).toHaveLength(report!.calls.length);
  });
});

describe("a sentence", () => {
  it("has a mark that is told by its name", async () => {
    await shown(answer("conflict"));
    expect(screen.getAllByRole("img", { name: "quoted" }).length).toBeGreaterThan(0);
  });

  it("opens its quote, verdict and title by click, and closes by Escape", async () => {
    const select = vi.fn();
    const { report } = reduceAll(logOf("web"));
    const { container } = await shown(answer("web", {}, select));
    await userEvent.click(container.querySelector("[data-cite]")!);
    expect(select).toHaveBeenCalledWith({ s: 1, c: 1 });
    const open = await shown(answer("web", { s: 1, c: 1 }, select));
    const card = await waitFor(() => {
      const found = open.container.querySelector<HTMLElement>("[role=dialog]");
      if (!found) throw new Error("It is not open yet.");
      return found;
    });
    expect(card.querySelector("[data-quote]")?.textContent).toBe(report!.sentences[0]!.quotes[0]!.text);
    expect(within(card).getByText("supported")).toBeTruthy();
    fireEvent.keyDown(window, { key: "Escape" });
    expect(select).toHaveBeenLastCalledWith({ s: 1 });
  });

  it("speaks the language of the page in an answer that runs the other way", async () => {
    const { container } = await shown(answer("right_to_left", { s: 1, c: 1 }));
    expect(container.querySelector(".answer")?.getAttribute("dir")).toBe("rtl");
    await waitFor(() => expect(container.querySelector("[role=dialog]")?.getAttribute("dir")).toBe("ltr"));
    expect(container.querySelector("[data-quote]")?.getAttribute("dir")).toBe("rtl");
  });

  it("opens its source while the pointer rests on it", async () => {
    const { container } = await shown(answer("folder"));
    fireEvent.pointerEnter(container.querySelector("[data-cite]")!, { pointerType: "mouse" });
    await waitFor(() => expect(container.querySelector("[data-quote]")).toBeTruthy());
  });
});

describe("what a page says stays text", () => {
  const source = { ...[...reduceAll(logOf("web")).sources.values()][0]!, title: '<img src=x onerror="alert(1)">', url: "javascript:alert(1)" };

  it("in a title, and no link leads to a script", async () => {
    const { container } = await shown(<SourceCard source={source} />);
    expect(container.querySelector("img, a")).toBeNull();
    expect(container.textContent).toContain("<img src=x");
  });

  it("and only addresses of the web can be opened", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "folder:docs/a.md", " javascript:alert(1)", "//x"]) {
      expect(openable(url), url).toBeNull();
    }
    expect(openable("https://example.org/a#part", "one two")).toBe("https://example.org/a#part:~:text=one%20two");
    expect(openable("https://example.org/a", "a-b, c")).toBe("https://example.org/a#:~:text=a%2Db%2C%20c");
  });
});

it.each([
  ["Use `quaere ask` now", "Use <code>quaere ask</code> now"],
  ["**all** <b>of</b> it", "<strong>all</strong> &lt;b&gt;of&lt;/b&gt; it"],
  ["2 * 3 ** 4 and `open", "2 * 3 ** 4 and `open"],
])("marks code and emphasis in %j, and nothing else", async (text, markup) => {
  const { container } = await shown(<Inline text={text} />);
  expect(container.innerHTML).toContain(markup);
  const cut = lastWord(text);
  expect(text.slice(0, cut) + text.slice(cut)).toBe(text);
  expect((text.slice(cut).match(/`/g) ?? []).length % 2).toBe((text.match(/`/g) ?? []).length % 2);
});

it("keeps quotes apart that nobody has joined", () => {
  const { sentences } = reduceAll(logOf("folder")).report!;
  const rows = blocksOf(sentences, true).flatMap((block) => block.rows);
  expect(rows.map((row) => row.length)).toEqual(sentences.map(() => 1));
});

it("lays an answer out as its sentences open it", () => {
  const [sentence] = reduceAll(logOf("web")).report!.sentences;
  const opening = (opens: Sentence["opens"]) => ({ ...sentence!, opens });
  const blocks = blocksOf(
    (["paragraph", null, "item", null, "item", "numbered", "code", "numbered", "paragraph", "row", "row", null, "numbered"] as const).map(opening),
  );
  expect(blocks.map((block) => [block.kind, block.rows.map((row) => row.length), block.first])).toEqual([
    ["paragraph", [2], 1],
    ["list", [2, 1], 1],
    ["numbered", [1], 1],
    ["code", [1], 2],
    ["numbered", [1], 2],
    ["paragraph", [1], 3],
    ["table", [1, 1], 1],
    ["paragraph", [1], 1],
    ["numbered", [1], 1],
  ]);
});

it("shows every row of a table and every line of code, each with its mark and its source", async () => {
  const view = reduceAll(logOf("web"));
  const [sentence] = view.report!.sentences;
  const said = (opens: Sentence["opens"], text: string) => ({ ...sentence!, opens, text });
  const sentences = [
    said(null, "The locks differ."),
    said("row", "Lock: Upper; Depth: 4 m"),
    said("row", "Lock: Lower; Depth: **6 m**; Keeper: Ada Finch."),
    said("row", "Dues: 12; Paid: yes; since 3 May"),
    said("code", "lock open \\\n  --upper"),
  ];
  const { container } = await shown(<Answer sentences={sentences} citations={view.report!.citations} evidence={view.evidence} selection={{}} select={vi.fn()} />);
  const lines = [...container.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent!.replace(/1$/, "")));
  expect(lines).toEqual([["Lock", "Depth", "Keeper"], ["Upper", "4 m", ""], ["Lower", "6 m", "Ada Finch"], ["Dues", "Paid"], ["12", "yes; since 3 May"]]);
  expect(container.querySelector("pre")!.textContent).toBe("lock open \\\n  --upper");
  expect(container.querySelectorAll(".mark")).toHaveLength(sentences.length);
  expect([...container.querySelectorAll("[data-cite]")].map((cite) => cite.getAttribute("data-cite"))).toEqual(["1-1", "2-1", "3-1", "4-1", "5-1"]);
});

it("marks the words that a sentence shares with its quote, and loses none", () => {
  const parts = shared("The mill was built in 1871 by Wray.", "Wray built the mill.");
  expect(parts.map((part) => part.text).join("")).toBe("The mill was built in 1871 by Wray.");
  expect(parts.filter((part) => part.shared).map((part) => part.text.trim())).toEqual(["The mill", "built", "Wray"]);
  const figures = shared("It is 4 m high, cost 2,400 crowns in 1781 and has 3 floors.", "It is 4 m high and cost 2,400 crowns.");
  expect(figures.filter((part) => part.shared).map((part) => part.text.trim())).toEqual(["4", "high", "cost 2,400 crowns", "and"]);
});

it("fills the checklist as items are answered", async () => {
  const view = reduceAll(logOf("folder"));
  await shown(<Checklist items={view.checklist} />);
  expect(screen.getAllByText(/answered/).length).toBe(view.checklist.length);
});

describe("the words of an answer", () => {
  it.each([
    ["| Part | Finding | | --- | --- | | The mill | 1788 |", "Part · Finding · The mill · 1788"],
    ["Tamsin Wray [1]. - The mill of Orrin was built in 1788 [2].", "Tamsin Wray [1]. The mill of Orrin was built in 1788 [2]."],
    ["# The mill\nIt stood from 1788 - 1790.", "The mill It stood from 1788 - 1790."],
    ["**Answer:** 1788 [1]. It had 2 ** 3 wheels.", "Answer: 1788 [1]. It had 2 ** 3 wheels."],
  ])("stand in one line: %s", (laidOut, line) => {
    expect(inOneLine(laidOut)).toBe(line);
  });
});

describe("what stays open", () => {
  const { checklist, synthesis } = reduceAll(logOf("no_evidence")).report!;
  const part = (description: string) => ({ ...checklist.items[0]!, description });
  const asked = { checklist: { items: [part("Was kostet es?"), part("Orrin: Was kostet es?")] }, synthesis };

  it.each([
    ["Not found: Was kostet es?", "Was kostet es?"],
    ["Nach den Quellen nicht sicher: Orrin: Was kostet es?", "Orrin: Was kostet es?"],
    ["見つからなかったこと：Was kostet es?", "Was kostet es?"],
    ["Was kostet es?", "Was kostet es?"],
    ["Nur zum Teil gefunden: Was kostet es? (nichts zu “kostet”)", "Was kostet es?"],
  ])("is asked without what is said of it: %s", (gap, question) => {
    expect(askable(gap, asked)).toBe(question);
  });

  it("is asked as a model has put it, and not at all where it is a notice", () => {
    const said = "Die Sprache der Quellen (en) ist eine andere als die der Frage (de)";
    expect(askable(said, { ...asked, synthesis: { ...synthesis, model: "openai:small" } })).toBe(said);
    expect(askable(said, { ...asked, synthesis: { ...synthesis, model: EXTRACTIVE } })).toBeNull();
  });
});

describe("the budget", () => {
  it("counts a query once, however many services it was put to", async () => {
    const view = reduceAll(logOf("web"));
    const used = view.budget!.max_queries - view.remaining!.queries;
    const search = view.searches[0]!;
    const { container } = await shown(<Meters view={{ ...view, searches: Array.from({ length: 40 }, (_, at) => ({ ...search, seq: at + 1 })) }} />);
    expect(container.textContent).toContain(`Queries${used} of ${view.budget!.max_queries}`);
  });
});

describe("an outage", () => {
  it("does not fill the page of a run that goes on with its warnings", async () => {
    const warnings = Array.from({ length: 9 }, (_, at) => ({ kind: "search_failed", subject: "mills", message: `service ${at} could not be reached` }) as never);
    const { container } = await shown(<Warnings warnings={warnings} titled />);
    expect(container.querySelectorAll("section > ul > li")).toHaveLength(3);
    expect(within(container.querySelector("details")!).getAllByRole("listitem", { hidden: true })).toHaveLength(6);
    expect(container.querySelector("summary")!.textContent).toBe("6 more");
  });
});

describe("a warning", () => {
  it("about a document names it by its path, not by the id of its folder", async () => {
    const subject = "folder:0b9d1f7e-52c4-4d0e-9a51-6c1f2ad9e3b7/scans/m%C3%BChle.pdf";
    const { container } = await shown(<Warnings warnings={[{ kind: "index", subject, message: "is encrypted" } as never]} />);
    expect(container.textContent).toBe("scans/mühle.pdf: is encrypted");
  });

  it("that many queries brought is said once, with all of them below it", async () => {
    const warnings = Array.from({ length: 9 }, (_, at) => ({ kind: "search", subject: `query ${at}`, message: "web: down" }) as never);
    const { container } = await shown(<Warnings warnings={warnings} />);
    expect(screen.getAllByText("web: down")).toHaveLength(1);
    expect(container.querySelector("summary")!.textContent).toBe("9 times");
    expect(within(container.querySelector("details")!).getAllByRole("listitem", { hidden: true })).toHaveLength(9);
  });
});

describe("what a run asks back", () => {
  it("takes what is typed after a topic was added", async () => {
    await shown(<InquiryCard inquiry={{ kind: "topics", text: "Mills", topics: ["The mill at Orrin"] }} runId="r" />);
    await userEvent.click(screen.getByRole("button", { name: "Add a topic" }));
    await userEvent.keyboard("Who built it, and when?");
    const fields = screen.getAllByRole<HTMLTextAreaElement>("textbox").map((field) => field.value);
    expect(fields).toEqual(["The mill at Orrin", "Who built it, and when?"]);
  });

  it("does not count as time of the run", async () => {
    const [begun] = logOf("long");
    const at = (seconds: number) => new Date(new Date(begun!.at!).getTime() + seconds * 1_000).toISOString();
    const asked = { ...begun!, seq: 2, type: "inquiry_raised", at: at(3), inquiry: { kind: "topics", text: "Mills", topics: ["a"] } };
    const answered = { ...begun!, seq: 3, type: "inquiry_answered", at: at(63), kind: "topics", reply: { text: "", topics: [] } };
    const ended = { ...begun!, seq: 4, type: "run_failed", at: at(65), error_type: "x", message: "", retryable: false };
    const view = reduceAll([begun!, asked, answered, ended] as never);
    await shown(<Meters view={view} />);
    expect(screen.getByText(/^5\.0 s of/)).toBeTruthy();
  });
});

describe("a follow-up", () => {
  it("shows below it what it was read as", async () => {
    const [begun] = logOf("folder");
    const { question, readAs } = reduceAll([{ ...begun, question: "And the mill?", read_as: "When was the mill built?" } as never]);
    await shown(<Question question={question} readAs={readAs} className="" />);
    expect(screen.getByText(/^Read as:/).textContent).toBe("Read as: When was the mill built?");
  });

  it("that says all by itself shows nothing more", async () => {
    const { container } = await shown(<Question question="Who?" readAs={reduceAll(logOf("folder")).readAs} className="" />);
    expect(container.textContent).toBe("Who?");
  });
});

describe("the answer in short", () => {
  const direct = { kind: "name", text: "Tamsin Wray", own_words: true, evidence: [1], quotes: [], confidence: 0.9 } as never;

  it("stands above its sentences", async () => {
    await shown(<InShort direct={direct} />);
    expect(screen.getByText("Tamsin Wray")).toBeTruthy();
  });

  it("is left out where it is one of them", async () => {
    const { container } = await shown(<InShort direct={{ ...(direct as object), kind: "sentence" } as never} />);
    expect(container.textContent).toBe("");
  });
});
