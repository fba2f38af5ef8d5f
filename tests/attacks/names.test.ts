import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { beneficiary, openShop, type Shop } from "../faults/shop.ts";
import { aMember } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** Trying accounts for their holders' names by ordering payouts to them. */

const stack = await sharedStack();

/** What an hour leaves to orders. */
const NAMED = 30;
const isFull = (name: unknown) => typeof name === "string" && name !== "" && !name.includes("***");

async function order({ api }: Shop, n: number, amount: number): Promise<Record<string, unknown>> {
  const account = { bank_code: "058", account_number: beneficiary(n) };
  const { status, body } = await api.post("/transfers", { ...account, amount, reference: `try-${n}` });
  expect([n, status]).toEqual([n, 201]);
  return body;
}

const ended = ({ api }: Shop, references: unknown[]) =>
  until("every order has ended", async () => {
    const transfers = await Promise.all(references.map(async (of) => (await api.get(`/transfers/${of}`)).body));
    return transfers.every(({ status }) => status !== "pending") && transfers;
  });

test("orders of a kobo and orders that are declined give no more names than enquiries do, by any door", async () => {
  const shop = await openShop(stack);
  const { merchant, api } = shop;
  const owner = await aMember(stack, merchant.id, "owner");
  const act = (path: string, body: object) => owner.call("POST", `/api/m/${merchant.id}/live/${path}`, body);
  await act("payout-limits", { transfer_max: null, day_max: null, approval_above: 1 });

  const ordered: Record<string, unknown>[] = [];
  for (let n = 0; n < 2 * NAMED; n += 2) {
    const [ofAKobo, waiting] = await Promise.all([order(shop, n, 0.01), order(shop, n + 1, 1.01)]);
    ordered.push(ofAKobo, waiting);
    expect((await act(`transfers/${waiting.reference}/decline`, {})).status).toBe(200);
  }
  expect(ordered.filter(({ account_name }) => isFull(account_name))).toHaveLength(NAMED);
  const transfers = await ended(
    shop,
    ordered.map(({ reference }) => reference),
  );
  expect(new Set(transfers.map(({ status }) => status))).toEqual(new Set(["success", "failed"]));
  expect(transfers.filter(({ account_name }) => isFull(account_name))).toHaveLength(NAMED);
  const { body } = await api.get("/transfers?limit=100");
  const listed: Record<string, unknown>[] = Object(body.data);
  expect(listed.filter(({ account_name }) => isFull(account_name))).toHaveLength(NAMED);
  const received = await merchant.untilReceived("live", 1 + ordered.length);
  expect(received.slice(1).filter(({ body }) => isFull(Object(body.data).account_name))).toHaveLength(NAMED);

  const looked = await Promise.all(
    Array.from({ length: NAMED + 5 }, (_, n) =>
      api.post("/transfers/resolve", { bank_code: "058", account_number: beneficiary(1_000 + n) }),
    ),
  );
  expect(looked.filter(({ status }) => status === 200)).toHaveLength(NAMED);
});

test("a payroll of new employees is paid whole, and each is named once paid", async () => {
  const shop = await openShop(stack);
  const employees = Array.from({ length: NAMED + 20 }, (_, n) => 2_000 + n);
  const ordered = await Promise.all(employees.map((n) => order(shop, n, 100)));
  expect(ordered.filter(({ account_name }) => !isFull(account_name))).toHaveLength(20);
  const paid = await ended(
    shop,
    ordered.map(({ reference }) => reference),
  );
  for (const { status, account_name } of paid) expect([status, isFull(account_name)]).toEqual(["success", true]);
});
