import { describe, expect, it } from "vitest";
import { whyNothing } from "./Report";
import type { RunView } from "@/log/view";

type Search = RunView["searches"][number];

function search(provider: string, error = ""): Search {
  return { provider, error } as Search;
}

const EMPTY = { warnings: [{ kind: "empty", message: "There is nothing to read in it.", subject: "", retryable: false }] };
const NONE = { warnings: [] };

describe("why nothing was found", () => {
  it("is that no service could be asked, where every search failed", () => {
    expect(whyNothing({ searches: [search("wikipedia", "down"), search("folder", "gone")] }, EMPTY)).toBe("unreached");
  });
  it("is that no service answered, where folders alone could be searched", () => {
    expect(whyNothing({ searches: [search("folder"), search("wikipedia", "down"), search("folder")] }, NONE)).toBe("cutOff");
    expect(whyNothing({ searches: [search("folder"), search("wikipedia", "down"), search("wikipedia")] }, NONE)).toBe("elsewhere");
  });
  it("is that there was nothing to read, where folders alone were searched", () => {
    expect(whyNothing({ searches: [search("folder"), search("folder")] }, EMPTY)).toBe("empty");
    expect(whyNothing({ searches: [search("folder"), search("wikipedia")] }, EMPTY)).toBe("elsewhere");
  });
  it("is what was searched, otherwise", () => {
    expect(whyNothing({ searches: [search("folder")] }, NONE)).toBe("elsewhere");
    expect(whyNothing({ searches: [] }, NONE)).toBe("elsewhere");
  });
});
