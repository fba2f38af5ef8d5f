import { Readable } from "node:stream";
import { Problem } from "@collect/contracts";
import { stringify } from "csv-stringify";
import type { Response } from "express";
import { z } from "zod";
import { type Cell, type Column, cellsOf, columnsOf } from "../domain/cells.ts";
import type { ExportSlots } from "./export-slots.ts";
import { READ_LIMITS, writeFile } from "./write-file.ts";
import { workbookOf } from "./xlsx.ts";

/** Rows read at a time: one export has at most these in memory, whatever its length. */
export const EXPORT_PAGE = 500;
/** How often access is checked again: a user who was signed out or removed can continue for this long. */
const CHECK_EVERY_MS = 10_000;

const Page = z.object({ data: z.array(z.unknown()), next: z.string().nullable() });
type Page = z.infer<typeof Page>;

export type ReadPage = (after: string | undefined) => Promise<unknown>;
export const FORMATS = ["csv", "xlsx"] as const;
type Format = (typeof FORMATS)[number];
type Export = {
  format: Format;
  rows: z.ZodObject;
  isImported?: boolean;
  name: string;
  userId: string;
  merchantId: string;
  /** Whether the session and the membership still exist. */
  mayStill: () => Promise<boolean>;
  readPage: ReadPage;
};

/** Writes whole lists, page by page, as fast as the client reads them, and stops when it disconnects. */
export function createExports(inSlot: ExportSlots, { limits = READ_LIMITS, checkMs = CHECK_EVERY_MS } = {}) {
  return (response: Response, given: Export): Promise<void> => {
    const { format, rows, isImported = false, name, userId, merchantId, mayStill, readPage } = given;
    return inSlot({ userId, merchantId }, async () => {
      // A refusal is sent before the first byte; a later failure closes the connection, so that a partial list is not
      // mistaken for a complete one.
      const first = Page.parse(await readPage(undefined));
      response.setHeader("Content-Type", TYPES[format]);
      response.setHeader("Content-Disposition", `attachment; filename="${name}.${format}"`);
      if (response.req.method === "HEAD") return void response.end();
      const columns = columnsOf(rows);
      const read = checked(readPage, mayStill, checkMs);
      const cells = async function* () {
        for await (const row of everyRow(first, read)) yield cellsOf(row, columns);
      };
      await writeFile(response, streamsOf({ format, isImported, columns, cells }), limits);
    });
  };
}

const TYPES: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

type Written = { format: Format; isImported: boolean; columns: Column[]; cells: () => AsyncIterable<Cell[]> };

function streamsOf({ format, isImported, columns, cells }: Written): Parameters<typeof writeFile>[1] {
  if (format === "xlsx") return [Readable.from(workbookOf({ columns, rows: cells() }))];
  const lines = stringify({
    header: true,
    columns: columns.map(({ name }) => name),
    bom: !isImported,
    record_delimiter: "windows",
  });
  return [Readable.from(cells(), { highWaterMark: 64 }), lines];
}

/** Checks access again between pages, every `checkMs`: an export can last for hours. */
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
