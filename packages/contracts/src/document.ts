import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { addedValues, breaksOf, eventsDocument, type JsonSchema, schemaOf } from "./documents.ts";
import { EVENTS } from "./events.ts";

/** Writes docs/events.md and the JSON Schemas that the next change is compared with; writes nothing if a recorded schema is broken. */
const schemas = new URL("../schemas/", import.meta.url);
await mkdir(schemas, { recursive: true });
const recorded = await readRecorded();
const breaks = breaksOf(recorded);
if (breaks.length > 0) {
  process.stderr.write(
    `Nothing was recorded. A .v1 changes by addition only, and an added field must be optional:\n${breaks.join("\n")}\n`,
  );
  process.exit(1);
}
const added = addedValues(recorded);
if (added.length > 0)
  process.stderr.write(
    `Consumers of the previous release refuse these values. Release every consumer before a publisher sends them:\n${added.join("\n")}\n`,
  );
await writeFile(new URL("../../../docs/events.md", import.meta.url), eventsDocument());
for (const event of EVENTS)
  await writeFile(new URL(`${event.subject}.json`, schemas), `${JSON.stringify(schemaOf(event), null, 2)}\n`);

async function readRecorded(): Promise<Record<string, JsonSchema>> {
  const files = (await readdir(schemas)).filter((file) => file.endsWith(".json"));
  const read = files.map(async (file) => [file.replace(/\.json$/, ""), await readSchema(file)] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function readSchema(file: string): Promise<JsonSchema> {
  return JSON.parse(await readFile(new URL(file, schemas), "utf8"));
}
