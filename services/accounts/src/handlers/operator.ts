import { answer, type Bus, type Request } from "@collect/bus";
import { allocateTransfer, listExceptions, Problem, redriveTransfers } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readExceptions } from "../store/exceptions.ts";
import { allocateTransfer as allocate, readReceived } from "../store/inbound-transfers.ts";
import { publishTransfers } from "./facts.ts";

const PAGE = 500;

/** What only the operator may ask. */
export function operatorRequests({ pool, bus }: { pool: Pool; bus: Bus }): Request[] {
  return [
    answer(redriveTransfers, async ({ from, to }) => {
      let redriven = 0;
      for (let position = { from, afterId: "" }; ; ) {
        const rows = await readReceived(pool, { ...position, to, limit: PAGE });
        const last = rows.at(-1);
        if (!last) return { redriven };
        await publishTransfers(bus, rows);
        redriven += rows.length;
        position = { from: last.receivedAt, afterId: last.intakeId };
      }
    }),

    answer(allocateTransfer, async ({ intake_id, merchant, customer_reference }) => {
      const owner = { merchantId: merchant.id, mode: merchant.mode, customerReference: customer_reference };
      const row = await allocate(pool, intake_id, owner);
      if (!row) {
        throw new Problem(
          "conflict",
          "Nothing was allocated: the money must stand in suspense, and the account it is for must be the merchant's, in the same mode.",
        );
      }
      await publishTransfers(bus, [row]);
      return { intake_id, allocated: true };
    }),

    answer(listExceptions, () => readExceptions(pool)),
  ];
}
