/** The service, as its OpenAPI document describes it. */
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "@/contracts/service";

type Schemas = components["schemas"];

export type Audit = Schemas["Audit"];
export type CheckedSentence = Schemas["CheckedSentence"];
export type Comparison = Schemas["Comparison"];
export type Estimate = Schemas["Estimate"];
export type Conversation = Schemas["StoredConversation"];
export type DocumentText = Schemas["DocumentText"];
export type DayQuality = Schemas["DayQuality"];
export type DayUsage = Schemas["DayUsage"];
export type Finding = Schemas["Finding"];
export type Folder = Schemas["Folder"];
export type MessageSent = Schemas["WebhookState"];
export type Message = Schemas["ChatMessage"];
export type NewKey = Schemas["NewKey"];
export type QueuedRun = Schemas["QueuedRun"];
export type Right = Schemas["Right"];
export type RunForm = Schemas["RunForm"];
export type RunState = Schemas["RunState"];
export type Schedule = Schemas["ScheduleState"];
export type Session = Schemas["Session"];
export type Uploaded = Schemas["Uploaded"];

/** An answer that is no success, with what the service says about it. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly retryable: boolean,
    readonly retryAfter: number | null,
    readonly requestId: string,
  ) {
    super(message);
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {}

interface Problem {
  error?: { type?: string; message?: string; retryable?: boolean };
  detail?: unknown;
  request_id?: string;
}

/** Return the error that `response` tells of. */
export async function errorOf(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => ({}))) as Problem;
  const told = body.error?.message ?? (typeof body.detail === "string" ? body.detail : "");
  const wait = Number(response.headers.get("retry-after"));
  return new ServiceError(
    response.status,
    body.error?.type ?? "error",
    told || response.statusText || `HTTP ${response.status}`,
    body.error?.retryable ?? response.status >= 500,
    Number.isFinite(wait) && wait > 0 ? wait : null,
    body.request_id ?? response.headers.get("x-request-id") ?? "",
  );
}

/** Fetch, and tell a service that is away from one that refuses. */
export async function reach(request: Request | string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable("The service cannot be reached.");
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

const raising: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
  onError({ error }) {
    return error instanceof TypeError ? new Unreachable("The service cannot be reached.") : undefined;
  },
};

export const service = createClient<paths>({ baseUrl: window.location.origin });
service.use(raising);

/** Return the data of an answer; what is no success has been thrown already. */
export async function data<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  return (await answer).data as Data;
}
