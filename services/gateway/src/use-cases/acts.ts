import type { Acts } from "@collect/bus";
import type { Pool } from "@collect/database";
import { concludeAct } from "../store/audit-log.ts";
import { admitOperator } from "./admit-operator.ts";
import type { ChainQueue } from "./chain-queue.ts";

/** Admits and records acts of operators here, for the gateway's own requests and for those of the other services. */
export function createActs(deps: { pool: Pool; inChain: ChainQueue; fourEyes: boolean }): Acts {
  return {
    admit: (order, context) => admitOperator(deps, order, context),
    conclude: ({ entry, outcome, detail }, { requestId, clientRequestId }) =>
      deps.inChain(entry.chain, (tx) => concludeAct(tx, entry, { outcome, detail, requestId, clientRequestId }), {
        isRefusable: false,
      }),
  };
}
