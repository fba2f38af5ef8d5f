import { writeFile } from "node:fs/promises";
import { vectors } from "./test/vectors.ts";

/** Writes the vectors by which receivers in any language are tested. */
const target = new URL("../../packages/webhook-verification/vectors.json", import.meta.url);
const description =
  "Requests to a webhook URL, signed by the service's own signer, and what a receiver must decide about each. `body` is base64; `now` is the receiver's clock in seconds since 1970; `tolerance_s` null accepts any age; `expected` is `valid`, or why the request is refused. Generated.";
await writeFile(target, `${JSON.stringify({ description, vectors: vectors() }, null, 2)}\n`);
