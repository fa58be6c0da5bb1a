/** The events of a run, and what they carry, as `contracts/run_events.json` has them. */
import type { components } from "@/contracts/service";

type Schemas = components["schemas"];

export type RunEvent = Schemas["RunEvent"];
export type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

export type Budget = Schemas["Budget"];
export type Checks = Schemas["Checks"];
export type Citation = Schemas["Citation"];
export type Conflict = Schemas["Conflict"];
export type Evidence = Schemas["Evidence"];
export type Inquiry = Schemas["Inquiry"];
export type Item = Schemas["Item"];
export type ItemStatus = Schemas["ItemStatus"];
export type ModelCall = Schemas["ModelCall"];
export type Phase = Schemas["Phase"];
export type ProfileName = Schemas["ProfileName"];
export type Quote = Schemas["Quote"];
export type ReadStatus = Schemas["ReadStatus"];
export type Remaining = Schemas["Remaining"];
export type Report = Schemas["Report"];
export type RunWarning = Schemas["RunWarning"];
export type Sentence = Schemas["Sentence"];
export type SiteKind = Schemas["SiteKind"];
export type StopReason = Schemas["StopReason"];
export type Support = Schemas["Support"];
