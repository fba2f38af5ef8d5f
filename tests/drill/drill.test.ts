import { expect, test } from "vitest";
import { runDrill } from "./run.ts";

test("a server that is lost comes back from its base backup and archived WAL at a moment, and what came since is neither lost nor doubled", async () => {
  const lines: string[] = [];
  await runDrill({ transfers: 30, say: (line) => lines.push(line) });
  expect(lines.at(-1)).toMatch(/74 transfers were reported by the bank, \d+ recorded/);
}, 240_000);
