import { issueCustomerAccount, transferReceived, transferUnallocated } from "@collect/contracts";
import { aMerchant, type FactLog, recordFacts } from "@collect/testing";
import { afterAll, beforeAll } from "vitest";
import { type AccountsWorld, openAccounts } from "./world.ts";

/** Accounts with a sweep that is always due, and the facts that it published. */
export function useIntakeWorld(): void {
  beforeAll(async () => {
    const issueAccount = async ({ accountName }: { accountName: string }) => ({
      accountNumber: String(++serial).padStart(10, "0"),
      accountName,
    });
    world = await openAccounts({ partner: { code: "729", name: "Harbour Bank", issueAccount }, sweep: SWEEP });
    received = await recordFacts(world.others, transferReceived);
    unallocated = await recordFacts(world.others, transferUnallocated);
  });
  afterAll(async () => {
    await world.stop();
    await world.close();
  });
}

export let world: AccountsWorld;
export let received: FactLog<typeof transferReceived>;
export let unallocated: FactLog<typeof transferUnallocated>;
export let serial = 0;

export const SWEEP = {
  everyMs: 50,
  firstWaitMs: 60_000,
  longestWaitMs: 60_000,
  budget: 100,
  trickle: 1,
  leaseMs: 1_000,
};

export async function aLiveAccount() {
  const merchant = { ...aMerchant("live"), name: "Acme Stores" };
  const { account } = await world.others.request(issueCustomerAccount, {
    merchant,
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
  });
  return { merchant, accountNumber: account.account_number };
}

export const rowOf = async (id: string) =>
  (await world.owner.query("select * from inbound_transfers where bank_transfer_id = $1", [id])).rows[0];

export const factsOf = (intakeId: string) => received.all.filter((fact) => fact.intakeId === intakeId);
