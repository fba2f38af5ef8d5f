import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CollectionReversed,
  getOwnBalances,
  getStatementLine,
  setBankAccount,
  showDay,
  TransferReversed,
} from "@collect/contracts";
import { mt940, type StatementLine, until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { untilEverythingHolds } from "../faults/audit-parts.ts";
import { AMOUNT, openShop, SETTLED, type Shop } from "../faults/shop.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { outcomeOf, propose, startFourEyes } from "../stack/operator-commands.ts";
import { partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());
const { payments } = partnersOf(stack);
await stack.service("payments").restart({ env: { ...payments, BANK_PARTNER: "providus" } });
const [payer, payee] = [await openShop(stack), await openShop(stack)];

/** Payouts leave from the one, and what is collected reaches the other. */
const [PAYOUTS, COLLECTIONS] = [SIMULATED_PARTNERS.PROVIDUS_SOURCE_ACCOUNT_NUMBER, "1234567890"];
for (const [number, bank] of [
  [PAYOUTS, "providus"],
  [COLLECTIONS, "729"],
] as const)
  await stack.bus.request(setBankAccount, {
    ...{ number, bank, pays_out: bank === "providus", charge_words: [], mapping: null },
  });
const { ada, bola } = await startFourEyes(stack);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** In Lagos. */
const dayOf = (at: unknown) => new Date(Date.parse(String(at)) + HOUR_MS).toISOString().slice(0, 10);
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

type Days = { account: string; day: string; earlier: StatementLine; lines: StatementLine[] };

/** What the bank has of the day before, which is over, and of the day by now: that statement is still to be continued. */
async function importAsAda({ account, day, earlier, lines }: Days): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "collect-statements-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "statement.sta");
  const opening = 100_000_000n;
  const statements = [
    mt940({ account, number: "1/1", day: dayBefore(day), opening, lines: [earlier] }),
    mt940({ account, number: "2/1", day, opening: opening + earlier.amount, lines, isInterim: true }),
  ];
  await writeFile(file, statements.join("\n"));
  expect(outcomeOf(await ada("statements", "import", file))).toBe("done");
}

/** The line with this narration, of which our books know nothing. Undefined if there is none. */
async function unknownLine(day: string, narration: string): Promise<string | undefined> {
  const { items } = await stack.bus.request(showDay, { day });
  const item = items.find(({ class: kind, what }) => kind === "bank_only" && what.includes(narration));
  return item?.key.replace("line:", "");
}

/** Ordered by the one who imported, and approved by another. */
const byTwo = async (...order: string[]) => outcomeOf(await bola("approve", await propose(ada, order)));

/** Each once, however often it was delivered. */
function eventsOf({ merchant }: Shop, kind: string) {
  const events = merchant.received("live").filter(({ body }) => body.event === kind);
  return [...new Map(events.map(({ headers, body }) => [headers["x-service-sequence"], body])).values()];
}

/** In kobo. */
async function bankInBooks(): Promise<number> {
  const { modes } = await stack.bus.request(getOwnBalances, {});
  return Math.round(Number(modes.find(({ mode }) => mode === "live")?.bank) * 100);
}

/** What each payout is in kobo. */
const PAID = BigInt(AMOUNT * 100);

test("a payout that the bank returned and never says so is given back by two operators with the line of its statement, once", async () => {
  const before = await bankInBooks();
  const reference = await payer.send(1);
  const transfer = async () => (await payer.api.get(`/transfers/${reference}`)).body;
  await until("it is paid", async () => (await transfer()).status === "success");
  const day = dayOf((await transfer()).created_at);
  await importAsAda({
    ...{ account: PAYOUTS, day, earlier: { amount: PAID, narration: "BEFORE THE ORDER" } },
    lines: [
      { amount: -PAID, narration: "PAID", reference },
      { amount: PAID, narration: "RETURNED" },
      { amount: PAID + 100n, narration: "ANOTHER AMOUNT" },
    ],
  });
  await followUp(reference);
  expect(await transfer()).toMatchObject({ status: "success" });
  const [line = "", other = ""] = [await unknownLine(day, "RETURNED"), await unknownLine(day, "ANOTHER AMOUNT")];
  const earlier = (await unknownLine(dayBefore(day), "BEFORE THE ORDER")) ?? "";

  const returned = (by: string, payout = reference, of = payer) => [
    ...["payouts", "returned", payout, "--merchant", of.merchant.id, "--line", by],
    ...["--reason", "its statement shows it"],
  ];
  expect(await byTwo(...returned(earlier))).toBe("validation_failed");
  expect(await byTwo(...returned(other))).toBe("validation_failed");
  expect(await byTwo(...returned(line, "trf_0000000000000000"))).toBe("not_found");
  expect(await byTwo(...returned(line, reference, payee))).toBe("not_found");
  const found = await ada("payouts", "find", reference);
  expect(found.stdout).toContain(`${reference} of ${payer.merchant.id}\n  amount   ₦100.00 to `);
  expect(found.stdout).toContain("  state    success\n  sent by  providus\n");
  expect(outcomeOf(await ada("payouts", "find", "trf_0000000000000000"))).toBe("not_found");
  const proposals = [await propose(ada, returned(line)), await propose(ada, returned(line))];
  expect(outcomeOf(await ada("approve", proposals[0] ?? ""))).toBe("own_proposal");
  expect([(await transfer()).status, eventsOf(payer, "transfer.reversed")]).toEqual(["success", []]);
  expect((await payer.api.get("/balance")).body).toMatchObject({ settled: SETTLED - AMOUNT });

  const approvals = [...proposals, ...proposals].map(async (proposal) => outcomeOf(await bola("approve", proposal)));
  expect((await Promise.all(approvals)).toSorted()).toEqual(["conflict", "conflict", "done", "done"]);
  const event = await until("the merchant is notified", () => eventsOf(payer, "transfer.reversed")[0]);
  expect(TransferReversed.parse(event).data).toMatchObject({ reference, status: "reversed", amount: 10_000n });
  expect((await payer.api.get("/balance")).body).toMatchObject({ settled: SETTLED });
  const { payout } = JSON.parse((await ada("payouts", "find", reference, "--json")).stdout);
  expect(payout).toMatchObject({ reference, merchant_id: payer.merchant.id, amount: "10000", status: "reversed" });
  await until("the line is matched", async () => (await unknownLine(day, "RETURNED")) === undefined);
  expect(await stack.bus.request(getStatementLine, { line })).toMatchObject({
    ...{ is_matched: true, offer: { is_return: true, bank_transfer_id: reference } },
  });
  expect(await unknownLine(day, "ANOTHER AMOUNT")).toBe(other);

  expect(await byTwo(...returned(line))).toBe("done");
  expect(await byTwo(...returned(other))).toBe("conflict");
  expect(await bankInBooks()).toBe(before);
  const next = await payer.send(2);
  await until("the next is paid", async () => (await payer.api.get(`/transfers/${next}`)).body.status === "success");
  expect(await byTwo(...returned(line, next))).toBe("conflict");
  await untilEverythingHolds(stack);
  expect((await payer.api.get("/balance")).body).toMatchObject({ settled: SETTLED - AMOUNT });
  expect(eventsOf(payer, "transfer.reversed")).toHaveLength(1);
});

/** The bank is asked about it again, and says that it has paid. */
async function followUp(reference: string): Promise<void> {
  const due =
    "update transfers set follow_up_at = least(follow_up_at, now()) where reference = $1 returning follow_ups";
  const times = async () => (await stack.database("payments").query(due, [reference])).rows[0].follow_ups;
  const before = await times();
  await until("the bank was asked again", async () => (await times()) > before);
  const { payouts } = (await client(`${stack.bankSimulatorUrl}/providus/control`).get("/payouts")).body;
  expect(payouts).toMatchObject([{ reference, code: "00" }]);
}

test("what the bank took back of a transfer and never reports is taken back by two operators with the line of its statement, once", async () => {
  const payout = await payer.send(3);
  await until("a payout is paid", async () => (await payer.api.get(`/transfers/${payout}`)).body.status === "success");
  const before = await bankInBooks();
  const { body: customer } = await payee.api.get("/customer_accounts/c");
  const credit = aBankTransfer({ account_number: String(customer.account_number), amount: 300 });
  await reportTransfer(stack.bankDoor, credit);
  const ended = "select intake_id from inbound_transfers where bank_transfer_id = $1 and completed_at is not null";
  const intake = await until("it is at the end of its way", async () => {
    const { rows } = await stack.database("accounts").query(ended, [credit.id]);
    return rows.length === 1 && String(rows[0].intake_id);
  });
  const day = dayOf(credit.paid_at);
  await importAsAda({
    ...{ account: COLLECTIONS, day, earlier: { amount: -30_000n, narration: "BEFORE THE CREDIT" } },
    lines: [
      { amount: 30_000n, narration: "ARRIVED", reference: credit.id },
      { amount: -30_000n, narration: "TAKEN BACK" },
      { amount: -30_000n, narration: `OF A PAYOUT ${payout}` },
    ],
  });
  const [line = "", earlier = "", ofPayout = ""] = [
    await unknownLine(day, "TAKEN BACK"),
    await unknownLine(dayBefore(day), "BEFORE THE CREDIT"),
    await unknownLine(day, "OF A PAYOUT"),
  ];
  const reverse = (by: string, of = intake, ...more: string[]) => [
    ...["statements", "reverse", by, "--of", of, "--reason", "its statement shows it", ...more],
  ];
  expect(await byTwo(...reverse(earlier))).toBe("conflict line_is_earlier");
  expect(await byTwo(...reverse(ofPayout))).toBe("conflict line_is_payout");
  expect(await byTwo(...reverse(line, intake, "--amount", "301.00"))).toBe("validation_failed amount_differs");
  expect(await byTwo(...reverse(line, "int_nothing"))).toBe("not_found");
  const proposals = [await propose(ada, reverse(line)), await propose(ada, reverse(line))];
  expect(outcomeOf(await ada("approve", proposals[0] ?? ""))).toBe("own_proposal");
  expect((await payee.api.get("/balance")).body).toMatchObject({ collected: 297 });

  const approvals = await Promise.all([...proposals, ...proposals].map((proposal) => bola("approve", proposal)));
  expect(approvals.map(outcomeOf).toSorted()).toEqual(["conflict", "conflict", "done", "done"]);
  const said = approvals.flatMap(({ stdout }) => /"status": "(\w+)"/.exec(stdout)?.[1] ?? []);
  expect(said.toSorted()).toEqual(["accepted", "duplicate"]);
  const event = await until("the merchant is notified", () => eventsOf(payee, "collection.reversed")[0]);
  expect(CollectionReversed.parse(event).data).toMatchObject({ amount: 30_000n, amount_reversed: 30_000n });
  expect((await payee.api.get("/balance")).body).toMatchObject({ collected: 0, settled: SETTLED });
  await until("the line is matched", async () => (await unknownLine(day, "TAKEN BACK")) === undefined);
  expect(await bankInBooks()).toBe(before);
  await untilEverythingHolds(stack);
  expect(eventsOf(payee, "collection.reversed")).toHaveLength(1);
});
