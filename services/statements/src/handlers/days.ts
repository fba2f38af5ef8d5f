import { answer, type Bus, type Request } from "@collect/bus";
import {
  closeDay,
  explainDifference,
  listCharges,
  listDayGroup,
  listDays,
  listOffers,
  matchByHand,
  Problem,
  reopenDay,
  showDay,
  undoMatch,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { operatorIn } from "../domain/operator.ts";
import { lockDays, reopenDay as reopen } from "../store/closings.ts";
import { listCharges as charges } from "../store/days.ts";
import { listDays as list } from "../store/lists.ts";
import { offersOfDay } from "../store/offers.ts";
import { createGroupLister } from "../use-cases/day-group.ts";
import { closeDay as close, explain, showDay as show } from "../use-cases/days.ts";
import { matchByHand as match, undoMatch as undo } from "../use-cases/match-by-hand.ts";
import type { Refresh } from "../use-cases/refresh.ts";

export function dayRequests(deps: { pool: Pool; bus: Bus; refresh: Refresh }): Request[] {
  const { pool } = deps;
  return [
    answer(listDays, ({ after }) => list(pool, after)),
    answer(showDay, ({ day }) => show(deps, day)),
    answer(listCharges, (given) => charges(pool, given)),
    answer(listDayGroup, createGroupLister(deps)),
    answer(listOffers, async ({ day }) => ({ data: await offersOfDay(pool, day) })),
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
    answer(undoMatch, async (given) => ({ is_undone: await undo(pool, given.match) })),
  ];
}
