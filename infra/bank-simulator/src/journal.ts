import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import type { z } from "zod";

/** The entries of earlier processes, and a function that appends more. */
export type Journal<Entry> = { entries: Entry[]; append(entry: Entry): void };

/**
 * One JSON line per entry, written before the response. An incomplete last line was truncated by a crash before any
 * response, so it is dropped. Without a path nothing is stored.
 */
export function openJournal<Entry>(schema: z.ZodType<Entry>, path: string | undefined): Journal<Entry> {
  if (!path) return { entries: [], append: () => {} };
  mkdirSync(dirname(path), { recursive: true });
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
  if (whole.length < bytes.length) truncateSync(path, whole.length);
  const lines = whole.toString("utf8").split("\n").slice(0, -1);
  return {
    entries: lines.map((line) => schema.parse(JSON.parse(line))),
    append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
  };
}
