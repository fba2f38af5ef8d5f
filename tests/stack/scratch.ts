import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All that the workers leave in the temporary directory, as the data of a shared stack, goes when the last one has ended. */
export default function setup(): () => Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "collect-tests-"));
  process.env.TMPDIR = scratch;
  return () => rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
