import {
  countInboundExceptions,
  instantOf,
  issueCustomerAccount,
  receiveTestTransfers,
  transferReceived,
  type WireInput,
} from "@collect/contracts";
import { aMerchant, type FactLog, randomId, recordFacts } from "@collect/testing";
import { type AccountsWorld, aSerialPartner, SWEEP, useAccounts } from "./world.ts";

/** Accounts, and the transfers that it published. */
export async function useTestTransfers(): Promise<void> {
  world = await useAccounts({ partner: aSerialPartner("7"), sweep: SWEEP });
  received = await recordFacts(world.others, transferReceived);
}

export type Transfer = WireInput<typeof receiveTestTransfers>["transfers"][number];

export type Merchant = Awaited<ReturnType<typeof aCustomer>>;

export let world: AccountsWorld;
export let received: FactLog<typeof transferReceived>;

export const DAY_MS = 86_400_000;

/** A merchant with the customers cust_1 and cust_2. */
export async function aCustomer(mode: "test" | "live" = "test") {
  const merchant = { ...aMerchant(mode), name: "Acme Stores" };
  for (const customer_reference of ["cust_1", "cust_2"])
    await world.others.request(issueCustomerAccount, { merchant, customer_reference, customer_name: "Ada Obi" });
  return merchant;
}

export const ago = (ms: number) => instantOf(new Date(Date.now() - ms));

export const aTestTransfer = (given: Partial<Transfer> = {}): Transfer => ({
  id: randomId("t"),
  customer_reference: "cust_1",
  amount: 2500.73,
  payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
  paid_at: ago(20 * DAY_MS),
  ...given,
});

export const receive = ({ id, mode }: Merchant, transfers: Transfer[]) =>
  world.others.request(receiveTestTransfers, { merchant: { id, mode }, transfers });

export const failure = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: "answered", detail: "", errors: [] }),
    (error) => error,
  );

export const rowsOf = async ({ id }: { id: string }) =>
  (await world.owner.query("select * from inbound_transfers where merchant_id = $1 order by bank_transfer_id", [id]))
    .rows;

export const factsOf = ({ id }: { id: string }) => received.all.filter(({ merchant }) => merchant.id === id);

export const exceptionsOf = ({ id, mode }: Merchant) =>
  world.others.request(countInboundExceptions, { merchant: { id, mode } });
