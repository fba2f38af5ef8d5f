import { answer, type Bus, type Request } from "@collect/bus";
import {
  allocateTransfer,
  getIncomingHealth,
  getRedrives,
  listExceptions,
  MODES,
  Problem,
  redriveTransfers,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { ownBankIn, type Partners } from "../domain/partners.ts";
import { readExceptions } from "../store/exceptions.ts";
import { allocateTransfer as allocate } from "../store/inbound-transfers.ts";
import { type Redrive, readRedrives, startRedrives } from "../store/redrives.ts";
import { readPartnerHealth } from "../use-cases/partner-health.ts";
import { publishTransfers } from "../use-cases/publish-transfers.ts";

type Deps = { pool: Pool; lists: Pool; bus: Bus; partners: Partners };

/** Requests that only the operator may make. */
export function operatorRequests({ pool, lists, bus, partners }: Deps): Request[] {
  return [
    answer(redriveTransfers, async ({ from, to, mode }) => {
      const redrives = await startRedrives(pool, { modes: mode ? [mode] : MODES, from, to });
      return { redrives: redrives.map(toProgress) };
    }),

    answer(getRedrives, async ({ ids }) => ({ redrives: (await readRedrives(pool, ids.map(BigInt))).map(toProgress) })),

    answer(allocateTransfer, async ({ intake_id, merchant, customer_reference }) => {
      const owner = { merchantId: merchant.id, mode: merchant.mode, customerReference: customer_reference };
      const own = ownBankIn(merchant.mode, partners.own);
      const row = await transaction(pool, (tx) => allocate(tx, intake_id, owner, own));
      if (!row) {
        throw new Problem(
          "conflict",
          "Nothing was allocated: the money must be in suspense and not be taken back by the bank, and the account must belong to the merchant, in the same mode.",
        );
      }
      await publishTransfers(bus, [row]);
      return { intake_id, allocated: true };
    }),

    answer(listExceptions, () => readExceptions(lists)),

    answer(getIncomingHealth, () => readPartnerHealth(lists, partners)),
  ];
}

const toProgress = ({ id, mode, from, to, position_received_at, redriven, started_at, finished_at }: Redrive) => ({
  id: id.toString(),
  ...{ mode, from, to, reached: position_received_at, redriven: Number(redriven), started_at, finished_at },
});
