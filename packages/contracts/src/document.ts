import { writeFile } from "node:fs/promises";
import { both } from "./compatibility.ts";
import { eventsDocument, findingsOfEvents, schemaOf } from "./documents.ts";
import { EVENTS } from "./events.ts";
import { REQUESTS } from "./index.ts";
import { findingsOfRequests } from "./last-release.ts";
import { readEvents, readLastRelease, writeEvent } from "./recorded.ts";

/** Writes docs/events.md and the schemas of events; writes nothing if events or requests break what is recorded. */
const { refused, reported } = both([
  findingsOfEvents(await readEvents()),
  findingsOfRequests(await readLastRelease(), REQUESTS),
]);
if (refused.length > 0) {
  process.stderr.write(
    `Nothing was recorded. The last release could not run beside this one (see "Beside the last release" in CONTRIBUTING.md):\n${refused.join("\n")}\n`,
  );
  process.exit(1);
}
if (reported.length > 0)
  process.stderr.write(`Safe beside the last release only if the code respects it:\n${reported.join("\n")}\n`);
await writeFile(new URL("../../../docs/events.md", import.meta.url), eventsDocument());
for (const event of EVENTS) await writeEvent(event.subject, schemaOf(event));
