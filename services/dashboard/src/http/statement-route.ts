import type { Bus } from "@collect/bus";
import { getStatementTotals, parseFields, toNotFound } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods } from "@collect/http";
import type { Logger } from "@collect/runtime";
import { statementDocument, statementPage } from "../domain/statement.ts";
import type { Call } from "./call.ts";
import type { ExportSlots } from "./export-slots.ts";
import { memberOf, recorded, SCOPE } from "./merchant-routes.ts";
import type { Sessions } from "./sessions.ts";
import { inPieces, READ_LIMITS, writeFile } from "./write-file.ts";

type Deps = { bus: Bus; log: Logger; sessions: Sessions; exportSlots: ExportSlots };

const Input = getStatementTotals.input.pick({ month: true });

/** A month's statement as a document, for those who may take its lines with them. */
export function statementRoute({ bus, log, sessions, exportSlots }: Deps) {
  return (app: HttpApp): void => {
    app.get(`${SCOPE}/statement.pdf`, async (incoming, response) => {
      const member = await memberOf(incoming, response, { permission: "exports", sessions });
      const { merchant } = member;
      const { month } = parseFields(Input, { month: incoming.query.month });
      const context = contextOf(response);
      const request: Call<unknown>["request"] = (contract, data) => bus.request(contract, data, context);
      const name = `statement-${merchant.mode}-${month}`;
      const act = { action: "list.exported", detail: { list: name, month }, mode: merchant.mode, log };
      const write = async () => {
        const totals = await request(getStatementTotals, { merchant, month }).catch(toNotFound);
        // Half a second, once, that no other call and no start of the process should wait for.
        const { pdfOf } = await import("./pdf.ts");
        return pdfOf(statementDocument(statementPage(totals, { merchant })));
      };
      await exportSlots({ userId: member.user_id, merchantId: merchant.id }, async () => {
        const pdf = await recorded({ member, request }, act, write);
        response.setHeader("Content-Type", "application/pdf");
        response.setHeader("Content-Length", pdf.length);
        response.setHeader("Content-Disposition", `attachment; filename="${name}.pdf"`);
        await writeFile(response, [inPieces(pdf)], READ_LIMITS);
      });
    });
    app.all(`${SCOPE}/statement.pdf`, onlyMethods("GET"));
  };
}
