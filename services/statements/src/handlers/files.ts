import { answer, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import {
  claimLine,
  getLineOffer,
  getStatementLine,
  importStatements,
  listLineOffers,
  listStatements,
  Problem,
  putStatementPart,
  releaseLine,
  withdrawStatement,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { operatorIn } from "../domain/operator.ts";
import { sentAt } from "../domain/session-id.ts";
import { listStatements as list } from "../store/lists.ts";
import { listOffers } from "../store/offers.ts";
import { readLine } from "../store/statements.ts";
import { claimLine as claim } from "../use-cases/claim-line.ts";
import { importFile } from "../use-cases/import-file.ts";
import { putPart, uploaderOf } from "../use-cases/put-part.ts";
import type { Refresh } from "../use-cases/refresh.ts";
import { findOffer, releaseLine as release } from "../use-cases/release-line.ts";
import { withdraw } from "../use-cases/withdraw.ts";

export function fileRequests({ pool, refresh }: { pool: Pool; refresh: Refresh }): Request[] {
  return [
    answer(putStatementPart, async (part, context) => {
      await putPart(pool, part, uploaderOf(part, context));
      return {};
    }),
    answer(getStatementLine, async ({ line: id }) => {
      const line = await readLine(pool, id);
      if (!line) throw new Problem("not_found", "There is no such line.");
      return { ...line, paid_at: sentAt(line.session_id, line.booked_on) };
    }),
    answer(claimLine, (given) => claim({ pool, refresh }, given)),
    answer(getLineOffer, (given) => findOffer({ pool, refresh }, given)),
    answer(releaseLine, async (given) => {
      await release(pool, given);
      return {};
    }),
    answer(listLineOffers, ({ after }) => listOffers(pool, { after, limit: ROWS_A_MESSAGE })),
    answer(listStatements, ({ after }) => list(pool, after)),
    answer(importStatements, (upload, context) => importFile(pool, upload, operatorIn(context))),
    answer(withdrawStatement, (statement) => withdraw(pool, statement)),
  ];
}
