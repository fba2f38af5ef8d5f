import { Readable } from "node:stream";
import type { Bus } from "@collect/bus";
import { dayReportCsv, listDayGroup, parseFields, type ReadGroup, showDay } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods } from "@collect/http";
import { dayReportDocument, type Sheet } from "../../domain/day-report.ts";
import { createExportSlots } from "../export-slots.ts";
import { inPieces, READ_LIMITS, writeFile } from "../write-file.ts";
import type { SignedIn } from "./sessions.ts";

/** The report of a day as files, from the same answer as its page. */
export function dayReportRoutes(app: HttpApp, { bus, signedIn }: { bus: Bus; signedIn: SignedIn }): void {
  const inSlot = createExportSlots();
  for (const [format, { type, write }] of Object.entries(FORMATS)) {
    const path = `/api/days/:day/report.${format}`;
    app.get(path, async (request, response) => {
      const { public_key } = await signedIn(request, response);
      const { day } = parseFields(showDay.input, { day: request.params.day });
      const context = { requestId: contextOf(response).requestId };
      const readGroup: ReadGroup = (group, after) => bus.request(listDayGroup, { day, group, after }, context);
      await inSlot({ userId: public_key }, async () => {
        const sheet = await bus.request(showDay, { day }, context);
        const file = await write(sheet, readGroup);
        response.setHeader("Content-Type", type);
        response.setHeader("Content-Disposition", `attachment; filename="day-${day}.${format}"`);
        await writeFile(response, [file], READ_LIMITS);
      });
    });
    app.all(path, onlyMethods("GET"));
  }
}

type Write = (sheet: Sheet, readGroup: ReadGroup) => Promise<Readable>;

const FORMATS: Record<string, { type: string; write: Write }> = {
  csv: { type: "text/csv; charset=utf-8", write: async (sheet, readGroup) => Readable.from(csvOf(sheet, readGroup)) },
  pdf: {
    type: "application/pdf",
    async write(sheet) {
      // Half a second, once, that no other call and no start of the process should wait for.
      const { pdfOf } = await import("../pdf.ts");
      return inPieces(await pdfOf(dayReportDocument(sheet, { now: new Date() })));
    },
  },
};

/** With the mark by which spreadsheets know UTF-8. */
async function* csvOf(sheet: Sheet, readGroup: ReadGroup): AsyncGenerator<string> {
  yield "\ufeff";
  for await (const line of dayReportCsv(sheet, readGroup)) yield `${line}\r\n`;
}
