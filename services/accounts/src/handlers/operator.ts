import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import {
  allocateTransfer,
  findReceivedTransfers,
  getAccountOwner,
  getIncomingHealth,
  getRedrives,
  listExceptions,
  listSuspenseReversals,
  MODES,
  Problem,
  redriveTransfers,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { ownBankIn, type Partners } from "../domain/partners.ts";
import { readOwner } from "../store/account-owner.ts";
import { readExceptions } from "../store/exceptions.ts";
import { allocateTransfer as allocate } from "../store/inbound-transfers.ts";
import { readReceivedTransfers } from "../store/received-transfers.ts";
import { type Redrive, readRedrives, startRedrives } from "../store/redrives.ts";
import { missingReversals } from "../store/reversal-recovery.ts";
import { readPartnerHealth } from "../use-cases/partner-health.ts";
import { publishTransfers } from "../use-cases/publish-transfers.ts";

type Deps = { pool: Pool; lists: Pool; bus: Bus; epochs: Epochs; partners: Partners };

/** Requests that only the operator may make. */
export function operatorRequests({ pool, lists, bus, epochs, partners }: Deps): Request[] {
  return [
    answer(redriveTransfers, async ({ from, to, mode }) => {
      const redrives = await startRedrives(pool, { modes: mode ? [mode] : MODES, from, to });
      return { redrives: redrives.map(toProgress) };
    }),

    answer(getRedrives, async ({ ids }) => ({ redrives: (await readRedrives(pool, ids.map(BigInt))).map(toProgress) })),

    answer(allocateTransfer, async ({ intake_id, merchant, customer_reference }) => {
      const owner = { merchantId: merchant.id, mode: merchant.mode, customerReference: customer_reference };
      const own = ownBankIn(merchant.mode, partners.own);
      // After a restore the ledger may know more of what the bank took back.
      epochs.assertCurrent();
      const { intake_ids: booked } = await bus.request(listSuspenseReversals, { credit_id: intake_id });
      const row = await transaction(pool, async (tx) => {
        const allocated = await allocate(tx, intake_id, owner, own);
        if (allocated && (await missingReversals(tx, booked)).length > 0) throw reversalsLost();
        return allocated;
      });
      if (!row) {
        throw new Problem(
          "conflict",
          "Nothing was allocated: the money must be in suspense and not be taken back by the bank, and the account must belong to the merchant, in the same mode.",
        );
      }
      await publishTransfers(bus, [row]);
      return { intake_id, allocated: true };
    }),

    answer(getAccountOwner, async (account) => ({
      owner: (await readOwner(lists, account, ownBankIn("live", partners.own))) ?? null,
    })),

    answer(findReceivedTransfers, async (sought) => ({ transfers: await readReceivedTransfers(lists, sought) })),

    answer(listExceptions, () => readExceptions(lists)),

    answer(getIncomingHealth, () => readPartnerHealth(lists, partners)),
  ];
}

const reversalsLost = () =>
  new Problem(
    "conflict",
    "Nothing was allocated: the bank took back a part of this money, and a restore lost its report. Have the bank send that again first.",
  );

const toProgress = ({ id, mode, from, to, position_received_at, redriven, started_at, finished_at }: Redrive) => ({
  id: id.toString(),
  ...{ mode, from, to, reached: position_received_at, redriven: Number(redriven), started_at, finished_at },
});
