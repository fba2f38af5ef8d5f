import {
  allocateTransfer,
  getCustomerAccount,
  issueCustomerAccount,
  listCustomerAccounts,
  type Metadata,
  suspensePosted,
} from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreAccounts, uncopiedAccounts } from "../src/store/account-copies.ts";
import { eraseCustomerAccount } from "../src/store/erasures.ts";
import { factsOf, rowOf, unallocated, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

/** A merchant's own values with a customer's account. */

await useIntakeWorld();

const METADATA = { branch: "yaba", 7: "seven" };
const aShop = () => ({ ...aMerchant("live"), name: "Acme Stores" });
const issue = (merchant: ReturnType<typeof aShop>, metadata?: Metadata) =>
  world.others.request(issueCustomerAccount, {
    ...{ merchant, customer_reference: "cust_42", customer_name: "Ada Obi" },
    metadata,
  });
const published = async (transferId: string) => {
  const { intake_id } = await rowOf(transferId);
  return until("it is published", () => factsOf(intake_id).at(-1));
};

test("an account returns its metadata wherever it is read, and a repeat with other metadata changes nothing", async () => {
  const merchant = aShop();
  const { account } = await issue(merchant, METADATA);
  expect(account.metadata).toEqual(METADATA);
  const others: (Metadata | undefined)[] = [{ branch: "ikeja" }, {}, undefined];
  for (const metadata of others) expect(await issue(merchant, metadata)).toEqual({ account, created: false });
  const customer = { merchant, customer_reference: "cust_42" };
  expect(await world.others.request(getCustomerAccount, customer)).toEqual(account);
  expect((await world.others.request(listCustomerAccounts, { merchant })).data).toEqual([account]);
  expect((await issue(aShop())).account.metadata).toEqual({});
});

test("20 concurrent creates with different metadata all return that of one of them", async () => {
  const merchant = aShop();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => issue(merchant, { n: String(n) })));
  expect(new Set(answers.map(({ account }) => account.metadata.n)).size).toBe(1);
});

test("money is published with the account's metadata at the time it was received, however often", async () => {
  const merchant = aShop();
  const { account } = await issue(merchant, METADATA);
  const transfer = aReport(account.account_number);
  await report(world, transfer);
  expect(await published(transfer.id)).toMatchObject({ metadata: METADATA });
  await world.owner.query("update customer_accounts set metadata = '{}' where merchant_id = $1", [merchant.id]);
  const { intake_id } = await rowOf(transfer.id);
  await world.owner.query("update inbound_transfers set drive_at = now() where intake_id = $1", [intake_id]);
  const [first, second] = await until("it is redriven", () => factsOf(intake_id).length > 1 && factsOf(intake_id));
  expect(second).toEqual(first);
});

test("without metadata the fact and the row have nothing more than before", async () => {
  const { account } = await issue(aShop());
  const transfer = aReport(account.account_number);
  await report(world, transfer);
  expect(await published(transfer.id)).not.toHaveProperty("metadata");
  expect(await rowOf(transfer.id)).toMatchObject({ metadata: null });
});

test("money in suspense gets the metadata of the account that it is allocated to", async () => {
  const merchant = aShop();
  await issue(merchant, METADATA);
  const transfer = aReport("9876543211");
  await report(world, transfer);
  const { intake_id: intakeId, received_at: postedAt } = await rowOf(transfer.id);
  await until("it is published", () => unallocated.all.some((fact) => fact.intakeId === intakeId));
  await world.others.publish(suspensePosted, [
    { intakeId, mode: "live", amount: 250_073n, transactionId: "1", postedAt },
  ]);
  await until("it is completed", async () => (await rowOf(transfer.id)).completed_at);
  const { id, mode } = merchant;
  const order = { intake_id: intakeId, merchant: { id, mode }, customer_reference: "cust_42" };
  await world.others.request(allocateTransfer, order);
  expect(await published(transfer.id)).toMatchObject({ metadata: METADATA, fundedBy: "suspense" });
});

test("an account is restored with its metadata, from a copy of an earlier release without any, and erased with its name", async () => {
  const merchant = aShop();
  const { account } = await issue(merchant, METADATA);
  const pool = world.pools.workers;
  const copyOf = async () => {
    await world.owner.query("update customer_accounts set copied_at = null where merchant_id = $1", [merchant.id]);
    return (await uncopiedAccounts(pool, 100)).filter((copy) => copy.merchant.id === merchant.id);
  };
  const read = () => world.others.request(getCustomerAccount, { merchant, customer_reference: "cust_42" });
  const copies = await copyOf();
  expect(copies).toMatchObject([{ metadata: METADATA }]);
  for (const [restored, metadata] of [
    [copies, METADATA],
    [copies.map(({ metadata: _, ...copy }) => copy), {}],
    [copies, METADATA],
  ] as const) {
    await world.owner.query("delete from customer_accounts where merchant_id = $1", [merchant.id]);
    for (let times = 0; times < 2; times++) await restoreAccounts(pool, restored);
    expect(await read()).toEqual({ ...account, metadata });
  }
  await world.owner.query(
    "update customer_accounts set status = 'retired', retired_at = now() where merchant_id = $1",
    [merchant.id],
  );
  await eraseCustomerAccount(pool, { merchant, kind: "customer", reference: "cust_42" });
  expect(await copyOf()).toMatchObject([{ account_name: "Erased", metadata: {} }]);
});

test("the database refuses what the API refuses", async () => {
  const merchant = aShop();
  await issue(merchant);
  const store = (metadata: object) =>
    world.pool.query("update customer_accounts set metadata = $2 where merchant_id = $1", [merchant.id, metadata]);
  for (const metadata of [{ ["k".repeat(41)]: "" }, { k: "v".repeat(501) }, { k: 1 }])
    await expect(store(metadata)).rejects.toThrow("customer_accounts_metadata_check");
  await store({ ["k".repeat(40)]: "v".repeat(500) });
});
