import { type Problem, reportMissedTransfer, withdrawMissedTransfer } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { backUp, proveAudit, restoreUnderLoad, untilCaughtUp } from "./restore.ts";
import { openShop, proveCompleted } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("accounts restored under load recovers its transfers, and the bank's repeats are duplicates", async () => {
  const [traffic, shop] = [await openTraffic(stack), await openShop(stack)];
  const references = await restoreUnderLoad(stack, "accounts", { traffic, shop });
  await until("every event has its transfer again", async () => {
    const { rows } = await stack
      .database("webhooks")
      .query("select split_part(key, ':', 2) as id from events where kind = 'collection.success'");
    const ids = rows.map(({ id }) => id);
    const recorded = await stack
      .database("accounts")
      .query("select from inbound_transfers where intake_id = any($1)", [ids]);
    return recorded.rows.length === ids.length;
  });
  // The bank has to repeat transfers that were acknowledged but not published, as after every restore of accounts.
  await traffic.repeatAll();
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
  await proveCompleted(stack, shop, references);
  for (const { merchant } of [shop, ...traffic.customers]) proveNumbers(merchant);
  await proveAudit(stack);
}, 240_000);

/** A statement has a line with each session, none of which was notified; an operator has offered the first one, and nothing was credited. */
const linesOfStatement = (sessions: string[]) =>
  stack.database("statements").query(
    `with account as (insert into bank_accounts (number, bank, pays_out) values ('0123456789', '729', true) returning number),
       file as (insert into files (hash, name, imported_by) values (repeat('0', 64), 'november.xml', 'ngozi') returning hash),
       statement as (insert into statements (account, file, number, from_on, to_on, opening, closing, line_count)
         select number, hash, '1', '2026-11-20', '2026-11-20', 0, 20000, 2 from account, file returning id, account),
       line as (insert into lines (statement_id, position, account, booked_on, value_on, amount, session_id, refs, narration, is_charge)
         select id, n, account, '2026-11-20', '2026-11-20', 10000, session, '{}', 'FROM ADA', false
           from statement, unnest($1::text[]) with ordinality as of (session, n) returning id, account, position),
       offered as (insert into offers (line_id, account, bank_transfer_id, account_number, amount)
         select id, account, 'BNK-18', '0000000017', 10000 from line where position = 1)
     select id::text from line order by position`,
    [sessions],
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: Problem) => code,
  );
const withdraw = (line: string, bank_transfer_id: string) =>
  codeOf(stack.bus.request(withdrawMissedTransfer, { line, bank_transfer_id, reason: "a digit was wrong" }));

test("an account issued after the backup belongs only to its customer again, requested again or not, and of offers made since only the one that was credited stands", async () => {
  const merchant = await stack.createMerchant();
  const [test, live] = [client(stack.baseUrl, merchant.keys.sk_test), client(stack.baseUrl, merchant.keys.sk_live)];
  const issue = async (api: typeof live, n: number) => {
    const customer = { customer_reference: `cust_${n}`, customer_name: "Ada Obi", metadata: { n: String(n) } };
    // A busy machine may refuse one in time; its repeat is the same account.
    return until("it is issued", async () => {
      const { account_number } = (await api.post("/customer_accounts", customer)).body;
      return account_number === undefined ? undefined : String(account_number);
    });
  };
  const restore = await backUp(stack, "accounts");
  const issued = [await issue(test, 1), await issue(test, 2), await issue(live, 1), await issue(live, 2)];
  await until("payments has copies", async () => {
    const { rows } = await stack
      .database("payments")
      .query("select copy->>'account_number' as number from account_copies");
    const copied = rows.map(({ number }) => number);
    return issued.every((number) => copied.includes(number));
  });
  const sessions = ["000014000013261120093000000018", "000014000013261120093000000019"];
  const [open = "", credited = ""] = (await linesOfStatement(sessions)).rows.map(({ id }) => String(id));
  const offer = () =>
    stack.bus.request(reportMissedTransfer, {
      ...{ line: credited, bank_transfer_id: "BNK-19", account_number: issued[2] ?? "", amount: "10000" },
      ...{ payer_name: "ADA OBI", paid_at: null },
    });
  expect((await offer()).status).toBe("accepted");
  await merchant.untilReceived("live", 1);
  await restore();
  await stack.service("accounts").restart();
  await untilCaughtUp(stack, "accounts");
  // What was offered since is not credited again by its late report, nor by a repeat of the offer.
  const late = sessions.map((session_id) => ({
    ...aBankTransfer({ account_number: issued[2] ?? "", amount: 100 }),
    session_id,
  }));
  for (const report of late)
    expect(await reportTransfer(stack.bankDoor, report)).toMatchObject({
      status: 200,
      body: { status: "quarantined" },
    });
  expect(await withdraw(credited, "BNK-19")).toBe("conflict");
  expect((await offer()).status).toBe("duplicate");
  // What was never credited is withdrawn, and credited once its report comes again.
  expect(await withdraw(open, "BNK-18")).toBe("done");
  for (const [place, status] of ["accepted", "quarantined"].entries())
    expect(await reportTransfer(stack.bankDoor, late[place] ?? {})).toMatchObject({ body: { status } });
  await merchant.untilReceived("live", 2);
  // A transfer arrives before the account is requested again.
  const transfer = aBankTransfer({ account_number: issued[2] ?? "", amount: 100 });
  expect(await reportTransfer(stack.bankDoor, transfer)).toMatchObject({ status: 200, body: { status: "accepted" } });
  const event = (await merchant.untilReceived("live", 3)).at(-1);
  expect(event?.body.data).toMatchObject({
    ...{ customer_reference: "cust_1", account_number: issued[2], metadata: { n: "1" } },
  });
  expect(issued).not.toContain(await issue(test, 3));
  expect(issued).not.toContain(await issue(live, 3));
  expect([await issue(test, 1), await issue(test, 2), await issue(live, 1), await issue(live, 2)]).toEqual(issued);
}, 120_000);

test("an account without any copy is issued again with the same number", async () => {
  const merchant = await stack.createMerchant();
  const apis = [client(stack.baseUrl, merchant.keys.sk_test), client(stack.baseUrl, merchant.keys.sk_live)];
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  const issue = () =>
    Promise.all(apis.map(async (api) => (await api.post("/customer_accounts", customer)).body.account_number));
  const restore = await backUp(stack, "accounts");
  const issued = await issue();
  await restore();
  await stack.database("payments").query("delete from account_copies");
  await stack.service("accounts").restart();
  await untilCaughtUp(stack, "accounts");
  expect(await issue()).toEqual(issued);
}, 120_000);
