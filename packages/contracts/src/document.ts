import { mkdir, writeFile } from "node:fs/promises";
import { eventsDocument, schemaOf } from "./documents.ts";
import { EVENTS } from "./events.ts";

/** Writes docs/events.md and the JSON Schemas that the next change is held against. */
const here = new URL("../", import.meta.url);
await mkdir(new URL("schemas/", here), { recursive: true });
await writeFile(new URL("../../docs/events.md", here), eventsDocument());
for (const event of EVENTS) {
  await writeFile(new URL(`schemas/${event.subject}.json`, here), `${JSON.stringify(schemaOf(event), null, 2)}\n`);
}
