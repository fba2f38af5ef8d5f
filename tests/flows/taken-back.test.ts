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

test("what Providus takes back and never reports is undone by the line of its statement, once, and the bank and the ledger agree", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  await stack.bus.request(choosePartner, { merchant_id: merchant.id, partner: "providus" });
  await until("accounts are ready at Providus", async () => {
    const { partners } = await stack.bus.request(listPartners, {});
    return partners.some(({ pool }) => (pool?.free ?? 0) > 0);
  });
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  const { account_number } = (await api.post("/customer_accounts", customer)).body;
  const before = await bankInBooks();
  const paid = { account_number, amount: 1_000, paid_at: `${DAY}T12:00:00.000+01:00` };
  const { transfers } = (await providus.post("/transfers", paid)).body as {
    transfers: [{ transfer: { settlementId: string } }];
  };
  const { settlementId } = transfers[0].transfer;
  await merchant.untilReceived("live", 1);
  expect((await api.get("/balance")).body).toMatchObject({ collected: 990 });
  expect((await providus.post(`/transfers/${settlementId}/take-back`, {})).status).toBe(200);

  await importStatement();
  const items = async () => (await stack.bus.request(showDay, { day: DAY })).items;
  const taken = await until("the credit is matched, and what was taken back is at the bank alone", async () => {
    const open = (await items()).filter(({ class: kind }) => kind === "bank_only");
    return open.length === 1 && open[0];
  });
  const line = taken.key.replace("line:", "");
  const arrived = -BigInt(taken.amount);
  expect(await bankInBooks()).toBe(before + arrived);
  const { rows } = await stack
    .database("accounts")
    .query("select intake_id from inbound_transfers where bank_transfer_id = $1", [settlementId]);
  const reverse = (amount: string) =>
    stack.bus
      .request(reportMissedReversal, { line, intake_id: rows[0].intake_id, amount, reason: "its statement shows it" })
      .then(
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
  await until("the line is matched", async () => (await items()).every(({ class: kind }) => kind !== "bank_only"));
  expect(await bankInBooks()).toBe(before);
  expect(await reverse("100000")).toBe("duplicate");
  await until("the audit holds", async () => (await stack.bus.request(getLedgerProof, {})).holds);
});
