import { answer, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import {
  claimLine,
  claimReturn,
  claimReversal,
  getLineOffer,
  getStatementLine,
  holdMissingCredit,
  importStatements,
  listLineOffers,
  listStatements,
  Problem,
  putStatementPart,
  releaseLine,
  releaseReturn,
  withdrawStatement,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { operatorIn } from "../domain/operator.ts";
import { sentAt } from "../domain/session-id.ts";
import { listStatements as list } from "../store/lists.ts";
import { listOffers, readOffer } from "../store/offers.ts";
import { readLine } from "../store/statements.ts";
import { claimLine as claim } from "../use-cases/claim-line.ts";
import { claimReturn as claimForPayout, releaseReturn as releaseForPayout } from "../use-cases/claim-return.ts";
import { claimReversal as claimForReversal } from "../use-cases/claim-reversal.ts";
import { holdMissingCredit as holdMissing } from "../use-cases/hold-missing.ts";
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
      const { has_payouts: _, is_charge: __, ...shown } = line;
      const offer = await readOffer(pool, id);
      const is_reversal = offer?.is_return && line.amount < 0n;
      return {
        ...{ ...shown, paid_at: sentAt(line.session_id, line.booked_on) },
        offer: offer ? { ...offer, is_reversal } : null,
      };
    }),
    answer(claimLine, (given) => claim({ pool, refresh }, given)),
    answer(getLineOffer, (given) => findOffer({ pool, refresh }, given)),
    answer(releaseLine, async (given) => {
      await release(pool, given);
      return {};
    }),
    answer(claimReturn, async (given) => {
      await claimForPayout({ pool, refresh }, given);
      return {};
    }),
    answer(releaseReturn, async (given) => {
      await releaseForPayout(pool, given);
      return {};
    }),
    answer(claimReversal, async (given) => {
      await claimForReversal({ pool, refresh }, given);
      return {};
    }),
    answer(holdMissingCredit, async (given) => {
      await holdMissing({ pool, refresh }, given);
      return {};
    }),
    answer(listLineOffers, ({ after }) => listOffers(pool, { after, limit: ROWS_A_MESSAGE })),
    answer(listStatements, ({ after }) => list(pool, after)),
    answer(importStatements, (upload, context) => importFile(pool, upload, operatorIn(context))),
    answer(withdrawStatement, (statement) => withdraw(pool, statement)),
  ];
}
