import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "./files.ts";

/** node src/write.ts: writes the YAML that the code makes. */
const root = join(import.meta.dirname, "../../..");
for (const [path, text] of Object.entries(await files())) writeFileSync(join(root, path), text);
