import { createHmac, randomUUID } from "node:crypto";
import { createMonnify } from "@collect/bank";
import { answer, serveRequests } from "@collect/bus";
import { issueCustomerAccount, listBankMovements, listExceptions, reviewPayout } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { expect, test } from "vitest";
import { aLiveMerchant, OWN } from "./partners-world.ts";
import { startAccounts, useAccountsWorld } from "./world.ts";

/** Monnify's door, with its real protocol. */

const KEY = "the secret key of Monnify";
const monnify = createMonnify({
  ...{ url: "http://127.0.0.1:9", apiKey: "key", secretKey: KEY, contractCode: "1", timeoutMs: 100 },
});
let serial = 0;
const partner = {
  ...monnify,
  issuer: {
    ...{ kind: "by_request" as const, needs: [] },
    issueAccount: async ({ accountName, requestId }: { accountName: string; requestId: string }) => {
      const accountNumber = String(++serial).padStart(10, "6");
      reservations.set(accountNumber, requestId);
      return { accountNumber, accountName, bankCode: "50515", bankName: "Moniepoint" };
    },
  },
};
const reservations = new Map<string, string>();
const given = await useAccountsWorld();
const alarms: { alarm?: string }[] = [];
const log: Logger = Object.assign(Object.create(given.log), { error: (fields: object) => void alarms.push(fields) });
const world = await startAccounts(
  { ...given, log },
  { partners: { all: [OWN, partner], standard: partner, own: OWN.id } },
);
const reviewed: object[] = [];
await serveRequests(world.others, {
  service: "payments",
  log: world.log,
  requests: [
    answer(reviewPayout, async (payout) => {
      reviewed.push(payout);
      return { is_due: true };
    }),
  ],
}).start();

async function post(event: object | string, key = KEY) {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const headers = { "monnify-signature": createHmac("sha512", key).update(body).digest("hex") };
  const response = await fetch(new URL("/bank/monnify", world.doorUrl), { method: "POST", headers, body });
  const { status, code } = (await response.json()) as { status?: unknown; code?: string };
  return code ?? status;
}
const anId = () => `MNFY|${randomUUID()}`;

/** A customer's account, and a payment into it as Monnify reports it. */
async function aCustomer() {
  const merchant = aLiveMerchant();
  const { account } = await world.others.request(issueCustomerAccount, {
    ...{ merchant, customer_reference: "cust_1", customer_name: "Ada Obi" },
  });
  const { account_number: accountNumber } = account;
  const pay = (changes: object = {}) => {
    const eventData = {
      ...{ product: { type: "RESERVED_ACCOUNT", reference: reservations.get(accountNumber) } },
      ...{
        transactionReference: anId(),
        amountPaid: 1_000,
        settlementAmount: "985.00",
        currency: "NGN",
        paymentStatus: "PAID",
      },
      ...{ paidOn: null, paymentSourceInformation: [], destinationAccountInformation: { accountNumber } },
      ...changes,
    };
    return {
      id: eventData.transactionReference,
      report: () => post({ eventType: "SUCCESSFUL_TRANSACTION", eventData }),
    };
  };
  return { merchant, accountNumber, pay };
}
const settle = (settlementReference: string, ids: string[], key?: string) => {
  const transactions = ids.map((transactionReference) => ({ transactionReference, amountPaid: "1000.00" }));
  return post({ eventType: "SETTLEMENT", eventData: { settlementReference, transactions } }, key);
};

const START = { at: "2000-01-01T00:00:00.000+00:00", key: "" };
const list = async (after = START, settled = true) =>
  listBankMovements.output.parse(await world.others.request(listBankMovements, { mode: "live", after, settled })).rows;
/** The settlement of the movement of each of these ids, in the order of the list. */
const settlementsOf = async (ids: string[], after = START) =>
  (await list(after))
    .filter(({ bank_transfer_id }) => ids.includes(bank_transfer_id))
    .map(({ settlement_id }) => settlement_id);
const rowOf = async (id: string) =>
  (await world.owner.query("select * from inbound_transfers where bank_transfer_id = $1", [id])).rows[0];

test("a settlement is that of its transfers, whichever is reported first, and once however often", async () => {
  const { pay } = await aCustomer();
  const [before, after] = [pay(), pay()];
  expect(await before.report()).toBe("accepted");
  expect(await settlementsOf([before.id])).toEqual([null]);
  const [row] = [await rowOf(before.id)];
  expect(await settle("S1", [before.id, after.id])).toBe("accepted");
  // In its place by receipt, and again by the time of the settlement.
  expect(await settlementsOf([before.id])).toEqual(["S1", "S1"]);
  expect(await after.report()).toBe("accepted");
  expect(await settle("S1", [after.id, before.id, after.id])).toBe("duplicate");
  expect(new Set(await settlementsOf([before.id, after.id]))).toEqual(new Set(["S1"]));
  // The facts that follow from the row have it, sealed: it stays as it is.
  expect(await rowOf(before.id)).toEqual({ ...row, drive_at: expect.anything(), drives: expect.anything() });
  expect((await rowOf(after.id)).settlement_id).toBeNull();
});

test("reports and notices at the same time end with the same settlement", async () => {
  const { pay } = await aCustomer();
  const payments = Array.from({ length: 20 }, () => pay());
  const ids = payments.map(({ id }) => id);
  const taken = await Promise.all([
    ...payments.map(({ report }) => report()),
    ...[ids, ids.toReversed(), ids].map((each) => settle("S2", each)),
  ]);
  expect(taken.slice(20).toSorted()).toEqual(["accepted", "duplicate", "duplicate"]);
  expect(new Set(await settlementsOf(ids))).toEqual(new Set(["S2"]));
});

test("a notice that contradicts another one is refused as a whole, and alarmed; a part of it that does not is taken", async () => {
  const [first, second] = [anId(), anId()];
  expect(await settle("S3", [first])).toBe("accepted");
  alarms.length = 0;
  expect(await settle("S4", [second, first])).toBe("quarantined");
  expect(alarms).toMatchObject([
    { alarm: "settlement_contradicted", settlement_id: "S4", intake_ids: [expect.any(String)] },
  ]);
  const { rows } = await world.owner.query(
    "select settlement_id from settled_transfers where settlement_id in ('S3', 'S4')",
  );
  expect(rows).toEqual([{ settlement_id: "S3" }]);
  expect(await settle("S4", [second])).toBe("accepted");
  // Two that contradict each other at the same time: one of them is taken.
  const both = [anId(), anId()];
  const taken = await Promise.all([settle("S5", both), settle("S6", both.toReversed())]);
  expect(taken.toSorted()).toEqual(["accepted", "quarantined"]);
});

test("a notice that is not Monnify's, or that cannot be read, changes nothing", async () => {
  const { pay } = await aCustomer();
  const payment = pay();
  await payment.report();
  expect(await settle("S7", [payment.id], "another key")).toBe("invalid_signature");
  expect(await settle("", [payment.id])).toBe("validation_failed");
  expect(await settle("S7", Array.from({ length: 10_001 }, anId))).toBe("validation_failed");
  expect(await settle("S7", [])).toBe("accepted");
  expect(await settlementsOf([payment.id])).toEqual([null]);
});

test("a long settlement is taken at this door, a body that is too long at none", async () => {
  const ids = Array.from({ length: 5_000 }, anId);
  expect(await settle("S8", ids)).toBe("accepted");
  const { rows } = await world.owner.query(
    "select count(*)::integer as n from settled_transfers where settlement_id = 'S8'",
  );
  expect(rows).toEqual([{ n: 5_000 }]);
  expect(await post("x".repeat(4 * 1024 * 1024 + 1))).toBe("body_too_large");
});

test("a transfer that is settled later comes again after the place that was read, and for the release before it does not", async () => {
  const { pay } = await aCustomer();
  const [one, two] = [pay(), pay()];
  await one.report();
  await two.report();
  const end = (await list()).at(-1);
  if (!end?.listed_at) throw new Error("two were reported");
  const place = { at: end.listed_at, key: end.intake_id };
  expect(await list(place)).toEqual([]);
  await settle("S9", [one.id, anId()]);
  expect(await settlementsOf([one.id, two.id], place)).toEqual(["S9"]);
  const [again] = await list(place);
  const { received_at, bank_fee } = await rowOf(one.id);
  expect(again).toMatchObject({ received_at, bank_fee: 1_500n, bank_transfer_id: one.id });
  expect(bank_fee).toBe(1_500n);
  expect(await list({ at: String(again?.listed_at), key: String(again?.intake_id) })).toEqual([]);
  expect(await list(place, false)).toEqual([]);
});

test("a credit whose reservation is not that of the account with its number is in suspense, and alarmed", async () => {
  const [owner, other] = [await aCustomer(), await aCustomer()];
  alarms.length = 0;
  const wrong = owner.pay({ product: { type: "RESERVED_ACCOUNT", reference: reservations.get(other.accountNumber) } });
  expect(await wrong.report()).toBe("unallocated");
  const { merchant_id, intake_id } = await rowOf(wrong.id);
  expect(merchant_id).toBeNull();
  expect(alarms).toEqual([{ alarm: "reservation_differs", intake_id }]);
  const { unallocated } = await world.others.request(listExceptions, {});
  expect(unallocated.map((each) => each.intake_id)).toContain(intake_id);
  // Its own, and one that names none.
  for (const right of [owner.pay(), owner.pay({ product: {} })]) {
    expect(await right.report()).toBe("accepted");
    expect((await rowOf(right.id)).merchant_id).toBe(owner.merchant.id);
  }
  // A number that no account has is in suspense as before.
  const unknown = owner.pay({ destinationAccountInformation: { accountNumber: "0000000001" } });
  expect(await unknown.report()).toBe("unallocated");
  expect(alarms).toHaveLength(1);
});

test("a payout that came back is a hint to payments, and is reported again while payments does not answer", async () => {
  const event = (reference: string) => ({
    eventType: "REVERSED_DISBURSEMENT",
    eventData: { reference, amount: 9_999_999, status: "REVERSED" },
  });
  expect(await post(event("trf_1"), "another key")).toBe("invalid_signature");
  expect(reviewed).toEqual([]);
  expect(await post(event("trf_1"))).toBe("accepted");
  expect(reviewed).toEqual([{ partner: "monnify", reference: "trf_1" }]);
});
