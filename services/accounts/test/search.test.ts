import { randomUUID } from "node:crypto";
import { MODES, searchCustomers } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { expect, test } from "vitest";
import { useAccounts } from "./world.ts";

const world = await useAccounts();

type Merchant = ReturnType<typeof aMerchant>;
let serial = 0;
type Given = { name?: string; reference?: string; status?: "active" | "retired" | "pending"; metadata?: object };

/** Returns the account number. */
async function anAccount(merchant: Merchant, given: Given = {}): Promise<string> {
  const { name = "Ngozi Adaeze  Eze", reference = `cust_${++serial}`, status = "active", metadata = {} } = given;
  const accountNumber = String(++serial).padStart(10, "0");
  await world.owner.query(
    `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
       bank_name, issue_request_id, status, retired_at, metadata)
     values ($1, $2, $3, $4, $5, $6, $5, 'Test Bank', $1, $7::text, case when $7::text = 'retired' then now() end, $8)`,
    [
      randomUUID(),
      merchant.id,
      merchant.mode,
      reference,
      name,
      status === "pending" ? null : accountNumber,
      status,
      metadata,
    ],
  );
  return accountNumber;
}

const search = async ({ id, mode }: Merchant, text: string) =>
  (await world.others.request(searchCustomers, { merchant: { id, mode }, text })).customers;
const found = async (merchant: Merchant, text: string) =>
  (await search(merchant, text)).map(({ customer_reference }) => customer_reference);

test("customers are found by reference or its beginning, account number, words of the name and metadata", async () => {
  const merchant = aMerchant();
  const accountNumber = await anAccount(merchant, { reference: "Shop_1.a", metadata: { branch: "Yaba Zwei" } });
  await anAccount(merchant, { reference: "other", name: "Bola", status: "retired" });
  for (const text of ["Shop_1.a", "Shop_", accountNumber, "ngozi", "NGOZI ADA", "adaeze", "eze", "yaba zwei"])
    expect(await found(merchant, text), text).toEqual(["Shop_1.a"]);
  expect(await search(merchant, "bol")).toMatchObject([{ customer_reference: "other", status: "retired" }]);
  for (const text of [
    "shop_",
    "Shop1",
    "%",
    "daeze",
    "branch",
    "yaba",
    "2500",
    accountNumber.slice(0, -1),
    "\ud800",
    "\u{10ffff}",
  ])
    expect(await found(merchant, text), text).toEqual([]);
});

test("customers of another merchant or the other mode, and those that the bank has not opened, are not found", async () => {
  const merchant = aMerchant();
  await anAccount(merchant, { reference: "waits", status: "pending", metadata: { branch: "yaba" } });
  for (const mode of MODES) {
    const others = mode === merchant.mode ? { ...aMerchant(), mode } : { ...merchant, mode };
    const number = await anAccount(others, { reference: "cust_same", metadata: { branch: "yaba" } });
    for (const text of ["cust_same", "cust_", number, "ngozi", "eze", "yaba"]) {
      expect(await found(others, text), text).toEqual(["cust_same"]);
      expect(await found(merchant, text), text).toEqual([]);
    }
  }
  expect(await found(merchant, "waits")).toEqual([]);
});

test("at most a few customers are returned, and bad text is refused", async () => {
  const merchant = aMerchant();
  for (let n = 0; n < 8; n++) await anAccount(merchant);
  expect(await found(merchant, "ngozi")).toHaveLength(6);
  for (const text of ["", " ", "a\u0000", "x".repeat(101)])
    await expect(search(merchant, text)).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "text" }],
    });
});
