import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { shown } from "@/testing/shown";
import { Open } from "./Chat";

describe("an answer of the chat", () => {
  it("tells what it leaves open", async () => {
    await shown(<Open gaps={["Not certain from the sources: Who built the mill?"]} />);
    expect(screen.getByText(/^Not certain from the sources/)).toBeTruthy();
  });

  it("that leaves nothing open has no list of it", async () => {
    const { container } = await shown(<Open gaps={[]} />);
    expect(container.textContent).toBe("");
  });
});
