import { createHash } from "node:crypto";
import {
  CollectionReversed,
  choosePartner,
  getLedgerProof,
  getOwnBalances,
  importStatements,
  listPartners,
  type Problem,
  putStatementPart,
  reportMissedReversal,
  setBankAccount,
  showDay,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { outcomeOf, propose, startFourEyes } from "../stack/operator-commands.ts";
import { partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());
await stack.service("accounts").restart({ env: partnersOf(stack).accounts });

const CONTROL = `${stack.bankSimulatorUrl}/providus/control`;
const providus = client(CONTROL);
const number = SIMULATED_PARTNERS.PROVIDUS_SOURCE_ACCOUNT_NUMBER;
/** The last day in Lagos that is over for certain. */
const DAY = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);

/** The bank's own statement of the day. */
async function importStatement(): Promise<void> {
  const bytes = Buffer.from(await (await fetch(`${CONTROL}/statement?day=${DAY}`)).arrayBuffer());
  const hash = createHash("sha256").update(bytes).digest("hex");
  await stack.bus.request(setBankAccount, {
    number,
    bank: "providus",
    pays_out: false,
    charge_words: [],
    mapping: null,
  });
  await stack.bus.request(putStatementPart, { hash, part: 1, data: bytes.toString("base64") });
  await stack.bus.request(importStatements, { hash, parts: 1, name: "providus.sta" });
}

/** In kobo. */
const bankInBooks = async () => {
  const { modes } = await stack.bus.request(getOwnBalances, {});
  return BigInt(Math.round(Number(modes.find(({ mode }) => mode === "live")?.bank) * 100));
};

/** At the bank alone, and not what the account was opened with. */
const isLine = ({ class: kind, key }: { class: string; key: string }) =>
  kind === "bank_only" && key.startsWith("line:");

/** Whose customers have their accounts there. */
async function aMerchant() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  await stack.bus.request(choosePartner, { merchant_id: merchant.id, partner: "providus" });
  await until("accounts are ready at Providus", async () => {
    const { partners } = await stack.bus.request(listPartners, {});
    return partners.some(({ pool }) => (pool?.free ?? 0) > 0);
  });
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  const { account_number } = (await api.post("/customer_accounts", customer)).body;
  return { merchant, api, account_number };
}

type Paid = { transfers: [{ transfer: { settlementId: string } }] };
/** Once it is at the end of its way. */
const intakeOf = (settlementId: string) =>
  until("the transfer is complete", async () => {
    const find = "select intake_id from inbound_transfers where bank_transfer_id = $1 and completed_at is not null";
    const { rows } = await stack.database("accounts").query(find, [settlementId]);
    return rows.length === 1 && String(rows[0].intake_id);
  });

test("what Providus takes back and never reports is undone by the line of its statement, once, and the bank and the ledger agree", async () => {
  const { merchant, api, account_number } = await aMerchant();
  const before = await bankInBooks();
  const paid = { account_number, amount: 1_000, paid_at: `${DAY}T12:00:00.000+01:00` };
  const { transfers } = (await providus.post("/transfers", paid)).body as Paid;
  const { settlementId } = transfers[0].transfer;
  await merchant.untilReceived("live", 1);
  expect((await api.get("/balance")).body).toMatchObject({ collected: 990 });
  expect((await providus.post(`/transfers/${settlementId}/take-back`, {})).status).toBe(200);

  await importStatement();
  const items = async () => (await stack.bus.request(showDay, { day: DAY })).items;
  const taken = await until("the credit is matched, and what was taken back is at the bank alone", async () => {
    const open = (await items()).filter(isLine);
    return open.length === 1 && open[0];
  });
  const line = taken.key.replace("line:", "");
  const arrived = -BigInt(taken.amount);
  expect(await bankInBooks()).toBe(before + arrived);
  const intake_id = await intakeOf(settlementId);
  const reverse = (amount: string) =>
    stack.bus.request(reportMissedReversal, { line, intake_id, amount, reason: "its statement shows it" }).then(
      ({ status }) => status,
      ({ code }: Problem) => code,
    );
  expect(await reverse(arrived.toString())).toBe("validation_failed");
  expect((await Promise.all([reverse("100000"), reverse("100000")])).toSorted()).toEqual(["accepted", "duplicate"]);
  const received = await merchant.untilReceived("live", 2);
  const reversed = received.find(({ body }) => body.event === "collection.reversed");
  const { data } = CollectionReversed.parse(reversed?.body);
  expect(data).toMatchObject({ amount: 100_000n, amount_reversed: 100_000n });
  expect((await api.get("/balance")).body).toMatchObject({ collected: 0, settled: 0 });
  await until("the line is matched", async () => !(await items()).some(isLine));
  expect(await bankInBooks()).toBe(before);
  expect(await reverse("100000")).toBe("duplicate");
  await until("the audit holds", async () => (await stack.bus.request(getLedgerProof, {})).holds);
});

test("what Providus reports and never has is taken back by two operators, once, and credited once more by the line with which it comes late", async () => {
  const { merchant, api, account_number } = await aMerchant();
  const before = await bankInBooks();
  const { transfers } = (await providus.post("/transfers", { account_number, amount: 2_000 })).body as Paid;
  await merchant.untilReceived("live", 1);
  const intake = await intakeOf(transfers[0].transfer.settlementId);
  const arrived = (await bankInBooks()) - before;
  const { ada, bola } = await startFourEyes(stack);
  const reason = ["--reason", "the bank's staff say so"];
  const neverCame = ["statements", "never-came", intake, ...reason];
  const approve = async (...proposals: string[]) =>
    (await Promise.all(proposals.map((proposal) => bola("approve", proposal)))).map(
      (run) => /"status": "(\w+)"/.exec(run.stdout)?.[1] ?? outcomeOf(run),
    );
  expect(await approve(await propose(ada, neverCame))).toEqual(["conflict credit_may_come"]);
  // The statement of today and the days after it, which are not over, so no file of the bank has them yet.
  const statements = stack.database("statements");
  await statements.query(`
    with file as (insert into files (hash, name, imported_by) values (repeat('a', 64), 'tomorrow.sta', 'ada') returning hash)
    insert into statements (account, file, number, from_on, to_on, opening, closing, line_count)
    select account, file.hash, '900', to_on + 1, to_on + 4, closing, closing, 0 from statements, file order by to_on desc limit 1`);
  const proposals = [await propose(ada, neverCame), await propose(ada, neverCame)];
  expect(outcomeOf(await ada("approve", proposals[0] ?? ""))).toBe("own_proposal");
  expect((await api.get("/balance")).body).toMatchObject({ collected: 1_980 });
  expect((await approve(...proposals)).toSorted()).toEqual(["accepted", "duplicate"]);
  const received = await merchant.untilReceived("live", 2);
  const reversed = received.find(({ body }) => body.event === "collection.reversed");
  expect(CollectionReversed.parse(reversed?.body).data).toMatchObject({ amount: 200_000n, amount_reversed: 200_000n });
  expect((await api.get("/balance")).body).toMatchObject({ collected: 0, settled: 0 });
  expect(await bankInBooks()).toBe(before);
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const settled = async () => (await stack.bus.request(showDay, { day: today })).items.every((item) => item.settled);
  await until("neither of them needs a reason", settled);

  const { rows } = await statements.query(
    `insert into lines (statement_id, position, account, booked_on, value_on, amount, refs, narration, is_charge)
      select id, 1, account, to_on, to_on, $1, '{}', 'LATE', false from statements where number = '900' returning id::text`,
    [arrived],
  );
  const late = ["statements", "came-after-all", rows[0].id, "--of", intake, ...reason];
  const credits = [await propose(ada, late), await propose(ada, late)];
  expect((await approve(...credits)).toSorted()).toEqual(["accepted", "duplicate"]);
  await merchant.untilReceived("live", 3);
  expect((await api.get("/balance")).body).toMatchObject({ collected: 1_980 });
  expect(await bankInBooks()).toBe(before + arrived);
  expect(await approve(await propose(ada, neverCame))).toEqual(["duplicate"]);
  await until("the audit holds", async () => (await stack.bus.request(getLedgerProof, {})).holds);
});
