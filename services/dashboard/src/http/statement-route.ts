import type { Bus } from "@collect/bus";
import { getStatementTotals, parseFields, toNotFound } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods } from "@collect/http";
import type { Logger } from "@collect/runtime";
import { statementPage } from "../domain/statement.ts";
import type { Call } from "./call.ts";
import { memberOf, recorded, SCOPE } from "./merchant-routes.ts";
import type { Sessions } from "./sessions.ts";
import { statementPdf } from "./statement-pdf.ts";

const Input = getStatementTotals.input.pick({ month: true });

/** A month's statement as a document, for those who may take its lines with them. */
export function statementRoute({ bus, log, sessions }: { bus: Bus; log: Logger; sessions: Sessions }) {
  return (app: HttpApp): void => {
    app.get(`${SCOPE}/statement.pdf`, async (incoming, response) => {
      const member = await memberOf(incoming, response, { permission: "exports", sessions });
      const { merchant } = member;
      const { month } = parseFields(Input, { month: incoming.query.month });
      const context = contextOf(response);
      const request: Call<unknown>["request"] = (contract, data) => bus.request(contract, data, context);
      const name = `statement-${merchant.mode}-${month}`;
      const act = { action: "list.exported", detail: { list: name, month }, mode: merchant.mode, log };
      await recorded({ member, request }, act, async () => {
        const totals = await request(getStatementTotals, { merchant, month }).catch(toNotFound);
        const page = statementPage(totals, { merchant, now: new Date() });
        response.setHeader("Content-Type", "application/pdf");
        response.setHeader("Content-Disposition", `attachment; filename="${name}.pdf"`);
        response.send(await statementPdf(page));
      });
    });
    app.all(`${SCOPE}/statement.pdf`, onlyMethods("GET"));
  };
}
