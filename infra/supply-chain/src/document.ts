import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { productionComponents } from "./bill-of-materials.ts";
import { licenseList } from "./licenses.ts";
import { ROOT } from "./tree.ts";

/** Writes docs/licenses.md. */
await writeFile(join(ROOT, "docs/licenses.md"), licenseList(productionComponents()));
