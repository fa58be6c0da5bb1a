/** What the page asks of the service, each kept until it is known to have changed. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Report } from "@/log/events";
import { type Audit, type Comparison, type DocumentText, type RunForm, type Session, data, reach, service } from "./client";

/** How a run may stand. */
export const STATUSES = ["completed", "in_progress", "pending", "failed", "cancelled", "interrupted"] as const;
export type Status = (typeof STATUSES)[number];

export function useSession() {
  return useQuery<Session>({ queryKey: ["session"], queryFn: () => data(service.GET("/v1/session")), staleTime: 60_000 });
}

export function useProviders() {
  return useQuery({ queryKey: ["providers"], queryFn: () => data(service.GET("/v1/providers")), staleTime: 300_000 });
}

export function useEstimate(form: RunForm) {
  return useQuery({
    queryKey: ["estimate", { ...form, question: "" }],
    queryFn: () => data(service.POST("/v1/estimate", { body: { ...form, question: form.question.trim() || "?" } })),
    staleTime: 60_000,
    retry: false,
  });
}

/** What the service takes in an address. */
const MOST_IN_ADDRESS = 5_000;

export function useSimilar(question: string) {
  return useQuery({
    queryKey: ["similar", question],
    queryFn: () => data(service.GET("/v1/similar", { params: { query: { question } } })),
    enabled: question.length > 12 && question.length <= MOST_IN_ADDRESS,
    staleTime: 30_000,
    retry: false,
  });
}

export function useRun(id: string | undefined) {
  return useQuery({
    queryKey: ["run", id],
    queryFn: () => data(service.GET("/v1/runs/{run_id}", { params: { path: { run_id: id! } } })),
    enabled: id !== undefined,
  });
}

export function useAsk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ form, key }: { form: RunForm; key: string }) =>
      data(service.POST("/v1/runs", { body: form, params: { header: { "Idempotency-Key": key } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["runs"] }),
  });
}

/** Return what steers, labels or deletes a run. */
export function useRunActions(id: string) {
  const client = useQueryClient();
  const path = { params: { path: { run_id: id } } };
  const changed = () => {
    void client.invalidateQueries({ queryKey: ["runs"] });
    void client.invalidateQueries({ queryKey: ["run", id] });
  };
  const options = { onSuccess: changed };
  return {
    cancel: useMutation({ mutationFn: () => data(service.POST("/v1/runs/{run_id}/cancel", path)), ...options }),
    finish: useMutation({ mutationFn: () => data(service.POST("/v1/runs/{run_id}/finish", path)), ...options }),
    resume: useMutation({ mutationFn: () => data(service.POST("/v1/runs/{run_id}/resume", path)), ...options }),
    share: useMutation({ mutationFn: () => data(service.POST("/v1/runs/{run_id}/share", path)), ...options }),
    unshare: useMutation({ mutationFn: () => data(service.DELETE("/v1/runs/{run_id}/share", path)), ...options }),
    remove: useMutation({ mutationFn: () => data(service.DELETE("/v1/runs/{run_id}", path)), ...options }),
    label: useMutation({
      mutationFn: (labels: { pinned?: boolean; tags?: string[] }) =>
        data(service.PATCH("/v1/runs/{run_id}", { ...path, body: labels })),
      ...options,
    }),
    reply: useMutation({
      mutationFn: (body: { inquiry_id: string; reply: { text: string; topics: string[] } }) =>
        data(service.POST("/v1/runs/{run_id}/reply", { ...path, body })),
      ...options,
    }),
  };
}

export function useDoctor() {
  return useQuery({
    queryKey: ["doctor"],
    queryFn: () => data(service.GET("/v1/doctor", { params: { query: { offline: true } } })),
    retry: false,
  });
}

export function useDiff(first: string, second: string) {
  return useQuery({
    queryKey: ["diff", first, second],
    queryFn: async () =>
      (await data(service.GET("/v1/runs/{first}/diff/{second}", { params: { path: { first, second } } }))) as Comparison,
  });
}

export function useCheck() {
  return useMutation({
    // Without "async" the verdicts themselves are the answer, never a run that will bring them.
    mutationFn: async (body: { text: string; folders: string[]; look_up: boolean }) => (await data(service.POST("/v1/checks", { body: body as never }))) as Audit,
  });
}

/** Read a document: its text, as it can be checked. */
export function useTextOf() {
  return useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData();
      body.append("file", file);
      const response = await reach("/v1/checks/text", { method: "POST", body });
      return ((await response.json()) as DocumentText).text;
    },
  });
}

/** Fetch a report, of a run of one's own or by a shared link. */
export function useReport(path: string) {
  return useQuery({
    queryKey: ["report", path],
    queryFn: async () => (await (await reach(path)).json()) as Report,
    staleTime: Infinity,
  });
}
