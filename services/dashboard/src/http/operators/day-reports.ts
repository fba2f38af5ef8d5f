import type { Bus } from "@collect/bus";
import { dayReportCsv, parseFields, showDay } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods } from "@collect/http";
import { dayReportDocument, type Sheet } from "../../domain/day-report.ts";
import { createExportSlots } from "../export-slots.ts";
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
      const file = await inSlot(public_key, async () => write(await bus.request(showDay, { day }, context)));
      response.setHeader("Content-Type", type);
      response.setHeader("Content-Disposition", `attachment; filename="day-${day}.${format}"`);
      response.send(file);
    });
    app.all(path, onlyMethods("GET"));
  }
}

const FORMATS: Record<string, { type: string; write(sheet: Sheet): Promise<Buffer> }> = {
  // With the mark by which spreadsheets know UTF-8.
  csv: { type: "text/csv; charset=utf-8", write: async (sheet) => Buffer.from(`\ufeff${dayReportCsv(sheet)}\r\n`) },
  pdf: {
    type: "application/pdf",
    async write(sheet) {
      // Half a second, once, that no other call and no start of the process should wait for.
      const { pdfOf } = await import("../pdf.ts");
      return pdfOf(dayReportDocument(sheet, { now: new Date() }));
    },
  },
};
