import { writeFile } from "node:fs/promises";
import { ENDPOINTS } from "./src/endpoints.ts";
import { openApiDocument } from "./src/openapi/document.ts";

/** Writes the document of the merchant API to the SDK's folder, where the SDK is generated from it. */
const target = new URL("../../packages/sdk/openapi.json", import.meta.url);
await writeFile(target, `${JSON.stringify(openApiDocument(ENDPOINTS), null, 2)}\n`);
