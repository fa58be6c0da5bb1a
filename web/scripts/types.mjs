// Writes src/contracts/service.ts from the contracts of the service, so that the page cannot drift
// from them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const read = (name) => JSON.parse(readFileSync(new URL(`../../contracts/${name}`, import.meta.url), "utf8"));
const target = new URL("../src/contracts/service.ts", import.meta.url);

// The generator knows OpenAPI alone; the schema of the events becomes part of its components.
const { $defs, oneOf } = JSON.parse(
  JSON.stringify(read("run_events.json")).replaceAll("#/$defs/", "#/components/schemas/"),
);
const service = read("openapi.json");
service.components.schemas = { ...service.components.schemas, ...$defs, RunEvent: { oneOf } };

mkdirSync(new URL("./", target), { recursive: true });
writeFileSync(target, astToString(await openapiTS(service)));
console.log(fileURLToPath(target));
