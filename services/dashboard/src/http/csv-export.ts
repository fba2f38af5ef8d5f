import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "@collect/contracts";
import { stringify } from "csv-stringify";
import type { Response } from "express";
import { z } from "zod";
import { cellsOf, columnsOf } from "../domain/csv.ts";

/** Rows that are asked for at a time: what one export holds in memory, whatever its length. */
export const CSV_PAGE = 500;
/** Exports that one process writes at once, and of one user. */
const EXPORTS_MAX = 20;
const EXPORTS_PER_USER_MAX = 3;
/** A client that takes nothing for so long is cut off: it holds a place that others want. */
const IDLE_MS = 30_000;
/** How long a user who was signed out or removed meanwhile may read on. */
const CHECK_EVERY_MS = 10_000;

const Page = z.object({ data: z.array(z.unknown()), next: z.string().nullable() });
type Page = z.infer<typeof Page>;

export type ReadPage = (after: string | undefined) => Promise<unknown>;
type Export = {
  rows: z.ZodObject;
  name: string;
  userId: string;
  /** Whether the session and the membership still are. */
  mayStill: () => Promise<boolean>;
  readPage: ReadPage;
};

/** Writes whole lists as CSV, page by page, as fast as the client takes them and no longer than it does. */
export function createExports({ idleMs = IDLE_MS, checkMs = CHECK_EVERY_MS } = {}) {
  const running: string[] = [];
  return async (response: Response, { rows, name, userId, mayStill, readPage }: Export): Promise<void> => {
    if (running.filter((user) => user === userId).length >= EXPORTS_PER_USER_MAX)
      throw new Problem(
        "rate_limited",
        `At most ${EXPORTS_PER_USER_MAX} exports can run at once. Wait for one to finish.`,
      );
    if (running.length >= EXPORTS_MAX)
      throw new Problem("service_unavailable", "Too many exports are running. Try again shortly.");
    running.push(userId);
    try {
      // What is refused is refused before the first byte; what breaks off later cuts the connection, so that half a
      // list is not taken for the whole.
      const first = Page.parse(await readPage(undefined));
      response.setHeader("Content-Type", "text/csv; charset=utf-8");
      response.setHeader("Content-Disposition", `attachment; filename="${name}.csv"`);
      if (response.req.method === "HEAD") return void response.end();
      const columns = columnsOf(rows);
      const lines = stringify({
        header: true,
        columns: columns.map(({ name }) => name),
        bom: true,
        record_delimiter: "windows",
      });
      // Node counts what the client takes as activity, however slowly it does.
      response.setTimeout(idleMs, () => response.destroy());
      const read = checked(readPage, mayStill, checkMs);
      const cells = async function* () {
        for await (const row of everyRow(first, read)) yield cellsOf(row, columns);
      };
      await pipeline(Readable.from(cells(), { highWaterMark: 64 }), lines, response);
    } finally {
      running.splice(running.indexOf(userId), 1);
    }
  };
}

/** Rights are looked at again between pages, now and then: an export may last for hours. */
function checked(readPage: ReadPage, mayStill: () => Promise<boolean>, checkMs: number): ReadPage {
  let checkedAt = performance.now();
  return async (after) => {
    if (performance.now() - checkedAt >= checkMs) {
      if (!(await mayStill()))
        throw new Problem("not_found", "The user who requested this list no longer has access to it.");
      checkedAt = performance.now();
    }
    return readPage(after);
  };
}

async function* everyRow(first: Page, readPage: ReadPage) {
  let page = first;
  for (;;) {
    yield* page.data;
    if (page.next === null) return;
    page = Page.parse(await readPage(page.next));
  }
}
