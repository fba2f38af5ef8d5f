import { concluded } from "@collect/bus";
import type { MerchantScope, RequestContext } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { concludeAct, recordAct } from "../store/audit-log.ts";

type Act = { merchant: MerchantScope; action: string; detail: Record<string, unknown> };

/** Does what a merchant's key orders: recorded in the audit log before, with its outcome after. */
export type Recorded = <Result>(act: Act, context: RequestContext, work: () => Promise<Result>) => Promise<Result>;

export function recordActs({ pool, log }: { pool: Pool; log: Logger }): Recorded {
  return async ({ merchant, action, detail }, context, work) => {
    const act = { merchant_id: merchant.id, mode: merchant.mode, action, detail };
    const entry = await recordAct(pool, { ...act, ...context, outcome: "unknown" });
    const { requestId, clientRequestId } = context;
    const conclude = (outcome: "done" | "refused", detail: Record<string, unknown>) =>
      concludeAct(pool, entry, { outcome, detail, requestId, clientRequestId });
    return concluded({ conclude, log }, work);
  };
}
