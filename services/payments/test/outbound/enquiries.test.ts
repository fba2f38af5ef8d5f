import { nuban, TEST_BANK } from "@collect/bank";
import { type MerchantScope, Problem, resolveAccount } from "@collect/contracts";
import { aMerchant, until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ENQUIRY_LIMITS } from "../../src/outbound/domain/enquiry-limits.ts";
import { deleteEnquiries } from "../../src/outbound/store/account-enquiries.ts";
import { startFakeLedger } from "./fake-ledger.ts";
import { startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  type Replica,
  refusalOf,
  send,
  startFakeWebhooks,
  startPayments,
  testAccount,
  untilStatus,
} from "./transfers-world.ts";
import { usePaymentsWorld } from "./use-transfers.ts";

const world = await usePaymentsWorld();
const ledger = await startFakeLedger(world);
afterAll(ledger.stop);

async function start(limits = { enquiries: 3, namedOrders: 2, failedOrders: 2 }) {
  const bank = await startBank();
  const replica = await startPayments(world, {
    partner: partnerAt(bank.url, 5_000),
    enquiryLimits: { ...ENQUIRY_LIMITS, ...limits },
  });
  onTestFinished(replica.stop);
  return { bank, replica };
}

const ADA = { kind: "member", user_id: "usr_1", email: "ada@shop.example" } as const;
const named = (merchant: MerchantScope) => ({ ...merchant, name: "Ada Stores" });
const enquire = (merchant: MerchantScope, account = LIVE_ACCOUNT): Promise<"named" | Problem> =>
  world.others
    .request(resolveAccount, { merchant: named(merchant), ...account }, { requestId: "req_1", actor: ADA })
    .then(
      () => "named" as const,
      (error) => {
        if (error instanceof Problem) return error;
        throw error;
      },
    );
const codeOf = (answer: "named" | Problem) => (answer === "named" ? answer : answer.code);
const logOf = async ({ pool }: Replica, { id }: MerchantScope) => {
  const columns = "mode, purpose, bank_code, last_four, actor, request_id, answer";
  return (await pool.query(`select ${columns} from account_enquiries where merchant_id = $1 order by id`, [id])).rows;
};

test("enquiries at once are counted exactly, across modes and replicas, and the bank is not asked beyond the budget", async () => {
  const { bank } = await start();
  await start();
  const merchant = aMerchant("live");
  const inTest = { bank_code: TEST_BANK.code, account_number: testAccount(1) };
  const answers = await Promise.all([
    ...Array.from({ length: 9 }, () => enquire(merchant)),
    enquire({ ...merchant, mode: "test" }, inTest),
  ]);
  expect(answers.filter((answer) => answer === "named")).toHaveLength(3);
  const refused = answers.filter((answer) => answer instanceof Problem);
  expect(refused.map(({ code }) => code)).toEqual(Array(7).fill("rate_limited"));
  for (const { retryAfterS } of refused) expect(retryAfterS).toBeGreaterThan(3_500);
  expect(bank.nameEnquiries.length).toBeLessThanOrEqual(3);
  expect(await enquire(aMerchant("live"))).toBe("named");
});

test("an enquiry is allowed again an hour after the first of those that spent the budget", async () => {
  const { replica } = await start();
  const merchant = aMerchant("live");
  for (let n = 0; n < 3; n++) expect(await enquire(merchant)).toBe("named");
  const age = (minutes: number) =>
    world.owner.query(
      `update account_enquiries set created_at = clock_timestamp() - $2 * interval '1 minute'
       where id = (select min(id) from account_enquiries where merchant_id = $1)`,
      [merchant.id, minutes],
    );
  await age(59);
  const refused = await enquire(merchant);
  expect(refused).toMatchObject({ code: "rate_limited" });
  expect(refused instanceof Problem && refused.retryAfterS).toBeLessThanOrEqual(60);
  await age(60);
  expect(await enquire(merchant)).toBe("named");
  expect(await logOf(replica, merchant)).toHaveLength(4);
});

test("the log says who asked for which account and what came of it, with the last four digits and without a name", async () => {
  const { bank, replica } = await start();
  const merchant = aMerchant("live");
  await enquire(merchant);
  bank.onNameEnquiry((response) => void response.writeHead(404).end(JSON.stringify({ code: "not_found" })));
  expect(codeOf(await enquire(merchant))).toBe("account_unresolved");
  bank.onNameEnquiry((response) => void response.writeHead(500).end());
  expect(codeOf(await enquire(merchant))).toBe("provider_error");
  const row = { mode: "live", purpose: "enquiry", bank_code: LIVE_ACCOUNT.bank_code, actor: ADA, request_id: "req_1" };
  const seen = { ...row, last_four: LIVE_ACCOUNT.account_number.slice(-4) };
  const answers = ["named", "unresolved", "failed"];
  expect(await logOf(replica, merchant)).toEqual(answers.map((answer) => ({ ...seen, answer })));
});

test("rows past their retention are deleted, and no others", async () => {
  const { replica } = await start();
  const merchant = aMerchant("live");
  await enquire(merchant);
  await enquire(merchant);
  await world.owner.query(
    "update account_enquiries set created_at = created_at - interval '366 days' where id = (select max(id) from account_enquiries where merchant_id = $1)",
    [merchant.id],
  );
  expect(await deleteEnquiries(replica.pool, { days: 365, max: 10 })).toBe(1);
  expect(await logOf(replica, merchant)).toHaveLength(1);
});

/** The n-th account at a bank; all are NGOZI EZE's. */
const accountOf = (n: number) => ({
  bank_code: LIVE_ACCOUNT.bank_code,
  account_number: nuban({ bankCode: LIVE_ACCOUNT.bank_code, serial: String(n).padStart(9, "0") }),
});
const orderTo = (merchant: MerchantScope, n: number, amount = 2500.73) =>
  send(world, merchant, { ...anOrder(accountOf(n)), amount });
const [FULL, INITIALS] = ["NGOZI EZE", "N*** E***"];
const nameIn = async (sending: ReturnType<typeof send>) => (await sending).transfer.account_name;

test("live orders at once to unknown accounts are all accepted, and show as many names as the budget leaves to orders", async () => {
  const { replica, bank } = await start({ enquiries: 5, namedOrders: 3, failedOrders: 2 });
  await start({ enquiries: 5, namedOrders: 3, failedOrders: 2 });
  bank.onPay((order, response) => {
    bank.accept(order, "pending");
    bank.answer(response, order.id);
  });
  const merchant = aFundedMerchant(ledger, "live");
  const orders = await Promise.all(Array.from({ length: 12 }, (_, n) => orderTo(merchant, n)));
  expect(orders.map(({ created }) => created)).toEqual(Array(12).fill(true));
  const names = orders.map(({ transfer }) => transfer.account_name);
  expect(names.filter((name) => name === FULL)).toHaveLength(3);
  expect(names.filter((name) => name === INITIALS)).toHaveLength(9);
  expect(await logOf(replica, merchant)).toMatchObject(Array(3).fill({ purpose: "enquiry", answer: "named" }));
  // Two are left for a person who looks an account up.
  expect([await enquire(merchant), await enquire(merchant)]).toEqual(["named", "named"]);
  expect(codeOf(await enquire(merchant))).toBe("rate_limited");
  const inTest = aFundedMerchant(ledger);
  for (let n = 0; n < 4; n++) expect(await nameIn(send(world, inTest, anOrder()))).not.toContain("*");
});

test("a withheld name is not shown before the money was sent, nor when the payout fails, nor for less than ₦100", async () => {
  const { bank } = await start({ enquiries: 2, namedOrders: 1, failedOrders: 2 });
  const webhooks = await startFakeWebhooks(world);
  const merchant = aFundedMerchant(ledger, "live");
  expect(await enquire(merchant)).toBe("named");
  bank.onPay((order, response) => {
    bank.accept(order, order.amount === 50 ? "failed" : "success");
    bank.answer(response, order.id);
  });
  const ends = [
    { amount: 50, status: "failed", name: INITIALS },
    { amount: 0.01, status: "success", name: INITIALS },
    { amount: 99.99, status: "success", name: INITIALS },
    { amount: 100, status: "success", name: FULL },
  ];
  for (const [n, { amount, status, name }] of ends.entries()) {
    const { transfer } = await orderTo(merchant, 100 + n, amount);
    expect(transfer.account_name).toBe(INITIALS);
    const ended = await untilStatus(world, merchant, transfer.reference, status);
    expect([amount, ended.account_name]).toEqual([amount, name]);
    const fact = await until("published", () => webhooks.about(transfer.reference)[0]);
    expect([amount, fact.accountName]).toEqual([amount, name]);
  }
});

test("a holder whom the merchant has paid, or whose name it was just given, is named and costs nothing", async () => {
  const { replica } = await start({ enquiries: 2, namedOrders: 1, failedOrders: 2 });
  const merchant = aFundedMerchant(ledger, "live");
  expect(await enquire(merchant, accountOf(200))).toBe("named");
  for (let n = 0; n < 3; n++) expect(await nameIn(orderTo(merchant, 200, 1))).toBe(FULL);
  // Of the same bank, and perhaps the same last digits, but another account.
  const { transfer } = await orderTo(merchant, 201);
  expect(transfer.account_name).toBe(INITIALS);
  await untilStatus(world, merchant, transfer.reference, "success");
  expect(await nameIn(orderTo(merchant, 201, 1))).toBe(FULL);
  expect(await logOf(replica, merchant)).toHaveLength(1);

  const other = aFundedMerchant(ledger, "live");
  expect(await enquire(other, accountOf(202))).toBe("named");
  expect(await nameIn(orderTo(other, 201, 1))).toBe(INITIALS);
});

test("live orders that name accounts which do not exist are recorded and limited; orders of test mode are neither", async () => {
  const { bank, replica } = await start();
  const merchant = aFundedMerchant(ledger, "live");
  bank.onNameEnquiry((response) => void response.writeHead(404).end(JSON.stringify({ code: "not_found" })));
  const order = () => refusalOf(send(world, merchant, anOrder(LIVE_ACCOUNT)));
  expect([await order(), await order(), await order()]).toEqual([
    "account_unresolved",
    "account_unresolved",
    "rate_limited",
  ]);
  expect(await logOf(replica, merchant)).toMatchObject(Array(2).fill({ purpose: "order", answer: "unresolved" }));
  expect(bank.nameEnquiries).toHaveLength(2);

  const inTest = aFundedMerchant(ledger);
  for (let n = 0; n < 4; n++)
    expect(await refusalOf(send(world, inTest, anOrder({ account_number: testAccount(6) })))).toBe(
      "account_unresolved",
    );
});
