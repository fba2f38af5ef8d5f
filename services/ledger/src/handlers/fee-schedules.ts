import { answer, type Request } from "@collect/bus";
import { getFeeSchedule, setFeeSchedule } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { DEFAULT_FEE_BASIS_POINTS } from "../domain/fee.ts";
import { basisPointsOf, setBasisPoints } from "../store/fee-schedules.ts";

export function feeScheduleRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(getFeeSchedule, async ({ merchant_id }) => ({
      merchant_id,
      basis_points: (await basisPointsOf(pool, merchant_id)) ?? DEFAULT_FEE_BASIS_POINTS,
    })),
    answer(setFeeSchedule, ({ merchant_id, basis_points }) =>
      setBasisPoints(pool, { merchantId: merchant_id, basisPoints: basis_points }),
    ),
  ];
}
