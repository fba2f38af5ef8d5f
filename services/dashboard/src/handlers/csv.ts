import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "@collect/contracts";
import { stringify } from "csv-stringify";
import type { Response } from "express";
import { z } from "zod";
import { cellsOf, columnsOf } from "../domain/csv.ts";

/** Rows that are asked for at a time: what one export holds in memory, whatever its length. */
export const CSV_PAGE = 500;
/** Exports that one process writes at once. */
const EXPORTS_MAX = 20;

const Page = z.object({ data: z.array(z.unknown()), next: z.string().nullable() });
type Page = z.infer<typeof Page>;

export type ReadPage = (after: string | undefined) => Promise<unknown>;

/** Writes whole lists as CSV, page by page, as fast as the client takes them and no longer than it does. */
export function createExports() {
  let running = 0;
  return async (
    response: Response,
    { rows, name, readPage }: { rows: z.ZodObject; name: string; readPage: ReadPage },
  ): Promise<void> => {
    if (running >= EXPORTS_MAX) throw new Problem("service_unavailable", "Too many exports at once. Try again soon.");
    running++;
    try {
      // What is refused is refused before the first byte; what breaks off later cuts the connection, so that nobody takes
      // half a list for the whole.
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
      const cells = async function* () {
        for await (const row of everyRow(first, readPage)) yield cellsOf(row, columns);
      };
      await pipeline(Readable.from(cells(), { highWaterMark: 64 }), lines, response);
    } finally {
      running--;
    }
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
