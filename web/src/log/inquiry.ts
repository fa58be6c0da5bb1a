import type { Inquiry } from "./events";

/** Return the name by which an inquiry is replied to, as `quaere.domain.team.Inquiry.id` has it. */
export async function inquiryId({ kind, text, topics }: Inquiry): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ kind, text, topics }));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 16);
}
