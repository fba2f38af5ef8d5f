import { answer, serveRequests } from "@collect/bus";
import {
  collectionRecorded,
  discardRefusedReversal,
  expireSession,
  type Fact,
  findPayableSession,
  getReversalRefusal,
  listPosted,
  listSuspenseReversals,
  Problem,
  transferReceived,
} from "@collect/contracts";
import { type FactLog, recordFacts, startComponents } from "@collect/testing";
import { afterAll } from "vitest";
import { type AccountsWorld, useAccounts } from "./world.ts";

/** A session as stored by payments; amounts in kobo. The last one is the newest. */
export type PlayedSession = {
  merchantId: string;
  reference: string;
  account_number: string;
  amount: bigint;
  amount_missing: bigint;
  is_open: boolean;
};

/** Accounts with fakes for payments and the rest of the path, for the whole test file. */
export async function usePath() {
  const world = await useAccounts();
  const path = await playPath(world);
  const payments = await playPayments(world);
  afterAll(payments.stop);
  return { world, path, payments };
}

/** A fake payments service with these sessions, which can close the open ones. */
export async function playPayments(world: AccountsWorld) {
  const sessions: PlayedSession[] = [];
  const requests = [
    answer(findPayableSession, async ({ merchant, by }) => {
      const own = sessions.filter(({ merchantId }) => merchantId === merchant.id && merchant.mode === "test");
      const found = own.findLast((session) => {
        if ("reference" in by) return session.reference === by.reference;
        if (!session.is_open) return false;
        return "amount" in by ? session.amount === by.amount : session.account_number === by.account_number;
      });
      return { session: found ?? null };
    }),
    answer(expireSession, async ({ merchant, reference }) => {
      const session = sessions.find((one) => one.merchantId === merchant.id && one.reference === reference);
      const expired = session?.is_open ?? false;
      if (session) session.is_open = false;
      return { expired };
    }),
  ];
  const serve = () => startComponents([serveRequests(world.others, { service: "payments", log: world.log, requests })]);
  let stopServing = await serve();
  return {
    sessions,
    stop: () => stopServing(),
    /** Serves again after a stop, with the same sessions. */
    async restart() {
      stopServing = await serve();
    },
  };
}

export type PlayedPath = { received: FactLog<typeof transferReceived>; deliveryNumber: number | null };

/** A fake for the rest of the path: every event is recorded immediately, with or without a delivery. */
export async function playPath(world: AccountsWorld): Promise<PlayedPath> {
  const path: PlayedPath = { received: await recordFacts(world.others, transferReceived), deliveryNumber: 7 };
  world.others.listen(transferReceived, (facts) => {
    const recorded = facts.map((raw): Fact<typeof collectionRecorded> => {
      const { intakeId, merchant, receivedAt } = transferReceived.data.parse(raw);
      const reference = referenceOf(intakeId);
      const { deliveryNumber } = path;
      return { intakeId, merchant, reference, sequence: 1, deliveryNumber, recordedAt: receivedAt };
    });
    void world.others.publish(collectionRecorded, recorded);
  });
  return path;
}

export const referenceOf = (intakeId: string) => intakeId.replace("int_", "col_");

/** What the fake ledger booked of incoming transfers, by intake id; null for a dead letter. */
export const posted = new Map<string, string | null>();
export const ledger = { isAway: false };

/** Why the fake ledger refuses reversals, by their ids: their dead letters. */
export const refusals = new Map<string, string>();
/** A fake ledger with what it booked as taken out of suspense, by credit. */
export async function playLedger(world: AccountsWorld): Promise<Map<string, string[]>> {
  const booked = new Map<string, string[]>();
  const requests = [
    answer(listSuspenseReversals, async ({ credit_id }) => ({ intake_ids: booked.get(credit_id) ?? [] })),
    answer(getReversalRefusal, async ({ intake_id }) => ({ refusal: refusals.get(intake_id) ?? null })),
    answer(discardRefusedReversal, async ({ intake_id }) => {
      if (ledger.isAway) throw new Problem("service_unavailable", "Away.");
      return { discarded: refusals.delete(intake_id) ? 1 : 0 };
    }),
    answer(listPosted, async ({ intake_ids }) => {
      if (ledger.isAway) throw new Problem("service_unavailable", "Away.");
      return listPosted.output.parse({
        posted: intake_ids.flatMap((intake_id) => {
          const amount = posted.get(intake_id);
          return amount === undefined ? [] : [{ intake_id, amount }];
        }),
      });
    }),
  ];
  afterAll(await startComponents([serveRequests(world.others, { service: "ledger", log: world.log, requests })]));
  return booked;
}
