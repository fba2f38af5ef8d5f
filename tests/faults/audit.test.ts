import { nuban } from "@collect/bank";
import { allocateTransfer, runSettlement, transferReceived } from "@collect/contracts";
import { aTransfer, randomId, until } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { auditOf, differencesIn, untilEverythingHolds } from "./audit-parts.ts";
import { audited, find } from "./audited.ts";
import { openTraffic } from "./traffic.ts";

/** The audit runs ten times as often, so that a test does not wait for it. */
const often = { AUDIT_EVERY_MS: "500" };
const stack = await startStack({ env: { accounts: often, ledger: often, payments: often } });
afterAll(() => stack.stop());

const { aShop, untilReported, untilNothingReported, tamper } = audited(stack);
const RECENT_MONEY_IN = "recent money in";

describe("a healthy system under traffic", () => {
  test("has no differences, while services are restarted and money is allocated from suspense", async () => {
    const traffic = await openTraffic(stack);
    const merchant = await stack.createMerchant();
    await client(stack.baseUrl, merchant.keys.sk_live).post("/customer_accounts", {
      customer_reference: "late",
      customer_name: "Ada",
    });
    const unknown = { id: randomId("trf"), account_number: "0000000017", amount: 71.3 };
    await reportTransfer(stack.bankDoor, aBankTransfer(unknown));
    const named = new Set<string>();
    const collectDifferences = async () => {
      for (const difference of await differencesIn(stack).catch(() => [])) named.add(difference);
    };
    const disturbances = async () => {
      for (const name of ["webhooks", "ledger", "payments", "accounts"] as const) {
        await stack.service(name).kill9();
        await stack.service(name).restart();
        await collectDifferences();
      }
      const { rows } = await stack
        .database("accounts")
        .query<{ intake_id: string }>("select intake_id from inbound_transfers where bank_transfer_id = $1", [
          unknown.id,
        ]);
      const [{ intake_id: intakeId } = { intake_id: "" }] = rows;
      await until("it is allocated", () =>
        stack.bus
          .request(allocateTransfer, {
            intake_id: intakeId,
            merchant: { id: merchant.id, mode: "live" },
            customer_reference: "late",
          })
          .then(
            () => true,
            () => false,
          ),
      );
      // Several rounds of the audit while transfers arrive.
      for (let round = 0; round < 4; round++) {
        const { parts } = await auditOf(stack);
        const [recent] = parts;
        await until("another round", async () => {
          await collectDifferences();
          return (await auditOf(stack)).parts[0]?.proven_at !== recent?.proven_at;
        });
      }
    };
    await traffic.flowUntil(disturbances());
    await untilEverythingHolds(stack);
    expect([...named]).toEqual([]);
  }, 180_000);
});

describe("inconsistencies that the audit did not detect before", () => {
  test("money moved to another merchant is reported, although every sum and chain is right", async () => {
    const [original, given] = [await aShop(), await aShop()];
    await untilEverythingHolds(stack);
    const [from, to] = [original, given].map(({ id }) => `live:collected:${id}`);
    const { rows } = await stack
      .database("ledger")
      .query<{ id: bigint }>("select id from transactions where key = $1", [original.intakeId]);
    await tamper(
      "ledger",
      ["entries", "transactions", "ledger_accounts"],
      `update entries set account_id = '${to}', account_version = 2, balance_after = 2 * amount
       where account_id = '${from}' and account_version = 1`,
      `update ledger_accounts set balance = 2 * balance, version = 2 where id = '${to}'`,
      `delete from ledger_accounts where id = '${from}'`,
      `update transactions set merchant_id = '${given.id}' where id = ${rows[0]?.id}`,
    );
    await untilReported(RECENT_MONEY_IN, original.intakeId, "merchant or amount: ledger differs from accounts");
  });
});

// Each has its own merchant, and waits for the same rounds of the audit.
describe.concurrent("inconsistencies that the audit did not detect before, concurrently", () => {
  // payments refuses another match of a collection; a wrong restore would not ask it.
  beforeAll(async () => void (await stack.database("payments").query("alter table collections disable trigger user")));

  test("a session that is paid without money is reported", async () => {
    const { api } = await aShop();
    const { body } = await api.post("/payments", { amount: 5_000 });
    await untilNothingReported(String(body.reference));
    await stack
      .database("payments")
      .query("update sessions set status = 'paid', amount_received = amount, paid_at = now() where reference = $1", [
        body.reference,
      ]);
    await untilReported("sessions", String(body.reference), "its collections are 0 kobo");
  });

  test("an event whose body has another amount is reported", async () => {
    const shop = await aShop();
    await untilNothingReported(shop.intakeId);
    await stack.database("webhooks").query(
      `update events set body = convert_to(replace(convert_from(body, 'UTF8'), '"amount":100,', '"amount":900,'), 'UTF8')
       where merchant_id = $1`,
      [shop.id],
    );
    await untilReported(RECENT_MONEY_IN, shop.intakeId, "merchant or amount: webhooks differs", "the event's body");
  });

  test("an event whose body has the same content in other bytes is reported", async () => {
    const shop = await aShop();
    await untilNothingReported(shop.intakeId);
    await stack
      .database("webhooks")
      .query("update events set body = body || '\\x20'::bytea where merchant_id = $1", [shop.id]);
    await untilReported(RECENT_MONEY_IN, shop.intakeId, "the event's body: webhooks differs from accounts");
  });

  test.each([
    ["recently", 0],
    ["years ago", -1_000 * 86_400_000],
    ["in the future", 10 * 86_400_000],
  ])("a forged fact of a transfer received %s is reported", async (_when, ms) => {
    const { id, accountNumber } = await aShop();
    const receivedAt = new Date(Date.now() + ms).toISOString().replace("Z", "+00:00");
    const forged = aTransfer({ merchant: { id, mode: "live" }, accountNumber, amount: 77_700n, receivedAt });
    await untilNothingReported(forged.intakeId);
    await stack.bus.publish(transferReceived, [forged]);
    await untilReported(RECENT_MONEY_IN, forged.intakeId, "accounts never took it in");
  });

  test("a payout that payments lost is reported, and a repeated order is the same payout", async () => {
    const { id, api } = await aShop({ transfers: 3 });
    await stack.bus.request(runSettlement, { merchant: { id, mode: "live" } });
    const order = {
      amount: 50,
      bank_code: "058",
      account_number: nuban({ bankCode: "058", serial: "010000001" }),
      reference: "payout-1",
    };
    const pay = async () => String((await api.post("/transfers", order)).body.reference);
    const first = await pay();
    await until("it is paid", async () => (await api.get(`/transfers/${first}`)).body.status === "success");
    await untilNothingReported(first);
    await stack.database("payments").query("delete from transfers where reference = $1", [first]);
    await untilReported("money out, from the ledger", first, "payments has no such transfer");
    expect(await pay()).toBe(first);
  });

  test("a payout without a reserve in the ledger is reported", async () => {
    const { id } = await aShop();
    const missing = randomId("trf");
    await stack.database("payments").query(
      `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
         account_name, step, status, verdict, told, sent_at, completed_at)
       values ($1, $2, 'live', 'forged', 5000, '058', 'GTBank', '0000000017', 'Ada', 'told', 'success', 'success', '{success}', now(), now())`,
      [missing, id],
    );
    await untilReported("money out", missing, "the ledger holds no reserve for it");
  });

  test.each<[string, "payments" | "webhooks", string, string]>([
    [
      "a collection with another fee",
      "payments",
      "update collections set fee = 0, net = amount where intake_id = $1",
      "fee or net: payments differs from ledger",
    ],
    [
      "a collection of another customer",
      "payments",
      "update collections set customer_reference = 'x' where intake_id = $1",
      "customer or account number: payments differs from accounts",
    ],
    [
      "a collection of another session",
      "payments",
      "update collections set payment_reference = 'pay_x' where intake_id = $1",
      "reference or payment session: webhooks differs from payments",
    ],
    [
      "an event under another number",
      "webhooks",
      "update events set sequence = 7 where merchant_id = $1",
      "reference, sequence or delivery number: webhooks differs from accounts",
    ],
    ["an event that is gone", "webhooks", "delete from events where merchant_id = $1", "webhooks does not hold it"],
  ])("%s is found and named", async (_what, service, change, named) => {
    const { intakeId, id } = await aShop();
    await untilNothingReported(intakeId);
    await stack.database(service).query(change, [service === "payments" ? intakeId : id]);
    await untilReported(RECENT_MONEY_IN, intakeId, named);
  });
});

describe("unfinished transfers", () => {
  test("when webhooks stops, the proof becomes too old, and then transfers are unfinished for too long", async () => {
    const { accountNumber } = await aShop();
    const unfinished = async () => find((await auditOf(stack)).parts, "unfinished money in");
    await until("nothing is in progress", async () => (await unfinished())?.notes.length === 0);
    await stack.service("webhooks").kill9();
    for (let n = 0; n < 20; n++)
      await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: accountNumber, amount: 100 + n }));
    // As if a minute had passed: what is proven is a minute older, and no round that needs webhooks proves it again.
    await stack.database("accounts").query("update audit_proofs set recent_to = recent_to - interval '1 minute'");
    const recent = async () => find((await auditOf(stack)).parts, RECENT_MONEY_IN);
    await until(
      "the proof is too old",
      async () => {
        const { age_s, max_age_s } = (await recent()) ?? {};
        return typeof age_s === "number" && typeof max_age_s === "number" && age_s > max_age_s;
      },
      90_000,
    );
    expect((await auditOf(stack)).faults.join()).toContain(`${RECENT_MONEY_IN} `);

    // To the audit they were received three minutes ago.
    const receive = (when: string) =>
      tamper(
        "accounts",
        ["inbound_transfers"],
        `update inbound_transfers set received_at = received_at ${when} where completed_at is null`,
      );
    await receive("- interval '3 minutes'");
    await untilReported("unfinished money in", "mode live", "20 unfinished for over 2 minutes");
    await receive("+ interval '3 minutes'");

    await stack.service("webhooks").restart();
    await until(
      "nothing is unfinished, and the proof is recent again",
      async () => {
        return (await unfinished())?.notes.length === 0 && ((await recent())?.age_s ?? 60) < 10;
      },
      90_000,
    );
  }, 240_000);
});
