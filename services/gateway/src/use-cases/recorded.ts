import { concluded } from "@collect/bus";
import type { MerchantScope, RequestContext } from "@collect/contracts";
import type { ByMode } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { chainOf } from "../domain/audit-chain.ts";
import { concludeAct, recordAct } from "../store/audit-log.ts";
import type { ChainQueue } from "./chain-queue.ts";

type Act = { merchant: MerchantScope; action: string; detail: Record<string, unknown> };

/** Does what a merchant's key orders: recorded in the audit log before, with its outcome after. */
export type Recorded = <Result>(act: Act, context: RequestContext, work: () => Promise<Result>) => Promise<Result>;

export function recordActs({ chains, log }: { chains: ByMode<ChainQueue>; log: Logger }): Recorded {
  return async ({ merchant, action, detail }, context, work) => {
    const inChain = chains[merchant.mode];
    const act = { merchant_id: merchant.id, mode: merchant.mode, action, detail };
    const entry = await inChain(chainOf(act), (tx) => recordAct(tx, { ...act, ...context, outcome: "unknown" }));
    const { requestId, clientRequestId } = context;
    const conclude = (outcome: "done" | "refused", detail: Record<string, unknown>) =>
      inChain(entry.chain, (tx) => concludeAct(tx, entry, { outcome, detail, requestId, clientRequestId }), {
        isRefusable: false,
      });
    return concluded({ conclude, log }, work);
  };
}
