import { issueCustomerAccount, transferReceived, transferUnallocated } from "@collect/contracts";
import { aMerchant, type FactLog, recordFacts } from "@collect/testing";
import { playLedger } from "./others.ts";
import { type AccountsWorld, aSerialPartner, SWEEP, useAccounts } from "./world.ts";

/** Accounts with a sweep that is always due, and the facts that it published. */
export async function useIntakeWorld(partner = aSerialPartner("0")): Promise<void> {
  world = await useAccounts({ partner, sweep: { ...SWEEP, budget: 100 }, reversalsEveryMs: 100 });
  outOfSuspense = await playLedger(world);
  received = await recordFacts(world.others, transferReceived);
  unallocated = await recordFacts(world.others, transferUnallocated);
}

export let world: AccountsWorld;
/** What the ledger booked as taken out of suspense, by credit. */
export let outOfSuspense: Map<string, string[]>;
export let received: FactLog<typeof transferReceived>;
export let unallocated: FactLog<typeof transferUnallocated>;
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
