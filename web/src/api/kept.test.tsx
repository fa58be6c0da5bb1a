/** What the page knows of the folders of a service. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";

/** What the service has: its folders, and the files in each of them. */
let had: { folders: string[]; files: string[] };

// The client of the service takes `fetch` as it is when it is made.
vi.stubGlobal("fetch", async ({ url }: Request) =>
  Response.json(url.includes("/files") ? { files: had.files.map((path) => ({ path })) } : { folders: had.folders.map((id) => ({ id, name: id })) }),
);
const { useOwnDocs } = await import("./kept");

const drawn = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return renderHook(useOwnDocs, { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
};

it.each([
  { folders: ["docs"], files: ["api.md", "budgets.md"], own: true },
  { folders: ["notes", "docs"], files: ["budgets.md"], own: true },
  { folders: ["docs"], files: ["minutes.md"], own: false },
  { folders: ["notes"], files: ["budgets.md"], own: false },
  { folders: [], files: [], own: false },
])("tells Quaere's own documentation in $folders from a folder of that name", async ({ folders, files, own }) => {
  had = { folders, files };
  const { result } = drawn();
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toBe(own));
});
