import { answer, type Bus, type Request } from "@collect/bus";
import {
  closeDay,
  explainDifference,
  listCharges,
  listDays,
  matchByHand,
  Problem,
  reopenDay,
  showDay,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { operatorIn } from "../domain/operator.ts";
import { listCharges as charges, lockDays, reopenDay as reopen } from "../store/days.ts";
import { listDays as list } from "../store/lists.ts";
import { closeDay as close, explain, showDay as show } from "../use-cases/days.ts";
import { matchByHand as match } from "../use-cases/match-by-hand.ts";
import type { Refresh } from "../use-cases/refresh.ts";

export function dayRequests(deps: { pool: Pool; bus: Bus; refresh: Refresh }): Request[] {
  const { pool } = deps;
  return [
    answer(listDays, ({ after }) => list(pool, after)),
    answer(showDay, ({ day }) => show(deps, day)),
    answer(listCharges, (given) => charges(pool, given)),
    answer(explainDifference, async (given, context) => {
      await explain(deps, given, operatorIn(context));
      return {};
    }),
    answer(closeDay, ({ day, seen }, context) => close(deps, day, operatorIn(context), seen)),
    answer(reopenDay, async ({ day, reason }, context) => {
      const by = operatorIn(context);
      const isReopened = await transaction(pool, async (tx) => {
        await lockDays(tx);
        return reopen(tx, { day, by, reason });
      });
      if (!isReopened) throw new Problem("conflict", "Only the last closed day can be reopened.");
      return {};
    }),
    answer(matchByHand, async (given, context) => {
      const id = await match(pool, given, operatorIn(context));
      return { match: id.toString() };
    }),
  ];
}
