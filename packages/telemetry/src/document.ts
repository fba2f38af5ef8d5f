import { writeFile } from "node:fs/promises";
import { metricsDocument } from "./documents.ts";

/** Writes docs/metrics.md. */
await writeFile(new URL("../../../docs/metrics.md", import.meta.url), metricsDocument());
