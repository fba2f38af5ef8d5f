import { answer, type Request } from "@collect/bus";
import { countInboundExceptions, getInboundTransfer, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countExceptions } from "../store/exceptions.ts";
import { findInbound } from "../store/inbound-view.ts";

/** What a merchant's people see of the intake. */
export const inboundTransfers = (pool: Pool): Request[] => [
  answer(getInboundTransfer, async ({ merchant, intake_id }) => {
    const transfer = await findInbound(pool, merchant, intake_id);
    if (!transfer) throw new Problem("not_found", "There is no such transfer.");
    return transfer;
  }),
  answer(countInboundExceptions, ({ merchant }) => countExceptions(pool, merchant)),
];
