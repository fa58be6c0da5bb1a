/** Logs of real runs, which the tests of the service's wire forms read, too. */
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { RunEvent } from "@/log/events";

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  default?: unknown;
  const?: unknown;
}

const folder = resolve(process.cwd(), "../tests/faces/wire/logs");
const contract = JSON.parse(readFileSync(resolve(process.cwd(), "../contracts/run_events.json"), "utf8")) as Schema;
const definitions = contract.$defs!;
const events = new Map(Object.values(definitions).map((schema) => [schema.properties?.type?.const, schema]));

export const LOGS = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.replace(".jsonl", ""))
  .sort();

/** Return the events of the recorded run called `name`, as the service sends them. */
export function logOf(name: string): RunEvent[] {
  const lines = readFileSync(resolve(folder, `${name}.jsonl`), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const event = JSON.parse(line) as RunEvent;
    return whole(events.get(event.type)!, event) as RunEvent;
  });
}

/** Put in what a recorded value leaves out because it is what the contract names as the default. */
function whole(schema: Schema, value: unknown): unknown {
  if (schema.$ref) return whole(definitions[schema.$ref.split("/").at(-1)!]!, value);
  if (schema.anyOf) return value === null ? null : whole(schema.anyOf[0]!, value);
  if (Array.isArray(value)) return value.map((each) => (schema.items ? whole(schema.items, each) : each));
  if (value === null || typeof value !== "object" || !schema.properties) return value;
  const given = value as Record<string, unknown>;
  const filled = { ...given };
  for (const [name, field] of Object.entries(schema.properties)) {
    const held = name in given ? given[name] : field.default;
    if (held !== undefined) filled[name] = whole(field, held);
  }
  return filled;
}
