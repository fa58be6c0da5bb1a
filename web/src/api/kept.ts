/** What the service keeps for its users: folders, keys, conversations, and what they used. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ServiceError, data, reach, service } from "./client";

/** Change what is kept by a method that the typed client would need the whole path for. */
export async function json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await reach(path, {
    method,
    headers: { Accept: "application/json", ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** Return the folders that questions can be asked of; none where the service has no such part. */
export function useFolders() {
  return useQuery({
    queryKey: ["folders"],
    queryFn: async () => (await data(service.GET("/v1/folders"))).folders,
    retry: false,
  });
}

/** The file of Quaere's own documentation on which the examples of the page rest. */
const OWN_DOCUMENT = "budgets.md";

/** Return whether Quaere's own documentation is served; undefined until that is known. */
export function useOwnDocs(): boolean | undefined {
  const folders = useFolders();
  const docs = folders.data?.find((folder) => folder.id === "docs");
  const files = useQuery({
    queryKey: ["files", "docs"],
    queryFn: () => data(service.GET("/v1/folders/{folder_id}/files", { params: { path: { folder_id: "docs" }, query: { limit: 1000 } } })),
    enabled: docs !== undefined,
  });
  if (folders.error || files.error || (folders.data && !docs)) return false;
  return files.data?.files.some((file) => file.path === OWN_DOCUMENT);
}

/** Return whether a part of the service is not there at all. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ServiceError && (error.status === 404 || error.status === 405);
}

export function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>, ...stale: string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
