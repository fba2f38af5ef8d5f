import { answer, type Request } from "@collect/bus";
import { setFeeSchedule } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { setBasisPoints } from "../store/fee-schedules.ts";

export function feeScheduleRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(setFeeSchedule, ({ merchant_id, basis_points }) =>
      setBasisPoints(pool, { merchantId: merchant_id, basisPoints: basis_points }),
    ),
  ];
}
