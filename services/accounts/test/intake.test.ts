import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { instantOf, listExceptions, retireCustomerAccount } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { aLiveAccount, factsOf, rowOf, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, BANK_DOOR_SECRET, OLD_DOOR_SECRET, PAID_AT, report } from "./world.ts";

await useIntakeWorld();

describe("the bank door", () => {
  test("a transfer gets its response once it is committed, and is published with its owner", async () => {
    const { merchant, accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber);
    expect(await report(world, transfer)).toEqual({ status: 200, body: { id: transfer.id, status: "accepted" } });
    const row = await rowOf(transfer.id);
    expect(row).toMatchObject({
      amount: 250_073n,
      merchant_id: merchant.id,
      customer_reference: "cust_42",
      completed_at: null,
    });
    const [fact] = await until("published", () => factsOf(row.intake_id).length > 0 && factsOf(row.intake_id));
    expect(fact).toEqual({
      intakeId: row.intake_id,
      merchant: { id: merchant.id, mode: "live" },
      accountNumber,
      customer: { reference: "cust_42", name: "Ada Obi" },
      amount: 250_073n,
      currency: "NGN",
      payer: { name: "Chidi Eze", accountNumber: "0123456789", bankName: "First Bank" },
      paidAt: PAID_AT,
      receivedAt: row.received_at,
      fundedBy: "bank",
      source: { bank: "729", bankTransferId: transfer.id, narration: "rent", allocated: false },
      mac: expect.stringMatching(/^test:[0-9a-f]{64}$/),
    });
  });

  test("the same transfer reported 50 times concurrently is accepted once", async () => {
    const { accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber);
    const answers = await Promise.all(Array.from({ length: 50 }, () => report(world, transfer)));
    expect(answers.filter(({ body }) => body.status === "accepted")).toHaveLength(1);
    expect(answers.filter(({ body }) => body.status === "duplicate")).toHaveLength(49);
  });

  test("what the bank kept and calls it is committed, and published with it", async () => {
    const { accountNumber } = await aLiveAccount();
    const ids = { session_id: "000014261121103000123456789012", settlement_id: "ST-1" };
    const transfer = aReport(accountNumber, { bank_fee: 25, bank_vat: 1.88, ...ids });
    expect((await report(world, transfer)).body.status).toBe("accepted");
    const row = await rowOf(transfer.id);
    expect(row).toMatchObject({ amount: 250_073n, bank_fee: 2_500n, bank_vat: 188n, ...ids });
    const [fact] = await until("published", () => factsOf(row.intake_id).length > 0 && factsOf(row.intake_id));
    expect(fact?.source).toEqual({
      ...{ bank: "729", bankTransferId: transfer.id, narration: "rent", allocated: false },
      ...{ bankFee: 2_500n, bankVat: 188n, sessionId: ids.session_id, settlementId: ids.settlement_id },
    });
    expect((await report(world, transfer)).body.status).toBe("duplicate");
    // The bank knew its charges later than the transfer, or earlier: what it said first is booked.
    expect((await report(world, { ...transfer, bank_fee: 30, bank_vat: null })).body.status).toBe("duplicate");
    expect(await rowOf(transfer.id)).toMatchObject({ bank_fee: 2_500n, bank_vat: 188n });
    for (const [column, value] of [
      ["bank_fee", "1"],
      ["session_id", "'other'"],
    ])
      await expect(
        world.owner.query(`update inbound_transfers set ${column} = ${value} where bank_transfer_id = $1`, [
          transfer.id,
        ]),
      ).rejects.toThrow("nor what the bank said");
  });

  test.each([
    ["above the amount", { bank_fee: 2500, bank_vat: 0.74 }, /^bank charges above the amount/],
    ["below zero", { bank_fee: 30, bank_vat: -1 }, /^a bank charge below zero/],
  ])("charges %s are quarantined, and all of the amount is not", async (_what, kept, reason) => {
    const { accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber, kept);
    expect((await report(world, transfer)).body.status).toBe("quarantined");
    expect(await rowOf(transfer.id)).toBeUndefined();
    expect(await shownUnder(transfer.id)).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    const whole = { ...transfer, bank_fee: 2500, bank_vat: 0.73 };
    expect((await report(world, whole)).body.status).toBe("accepted");
  });

  test.each([
    ["amount", { amount: 2500.74 }],
    ["account", { account_number: "9999999999" }],
    ["currency", { currency: "USD" }],
  ])("a known id with another %s is quarantined and the first transfer is unchanged", async (_what, other) => {
    const { accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber);
    await report(world, transfer);
    const before = await rowOf(transfer.id);
    expect((await report(world, { ...transfer, ...other })).body.status).toBe("quarantined");
    expect((await report(world, { ...transfer, ...other })).body.status).toBe("quarantined");
    expect(await rowOf(transfer.id)).toEqual(before);
    const { rows } = await world.owner.query("select * from quarantined_transfers where bank_transfer_id = $1", [
      transfer.id,
    ]);
    expect(rows).toMatchObject([{ times: 2 }]);
    const { quarantined } = await world.others.request(listExceptions, {});
    expect(quarantined.some((one) => one.bank_transfer_id === transfer.id)).toBe(true);
  });

  test("money in another currency is quarantined, never credited", async () => {
    const { accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber, { currency: "USD" });
    expect((await report(world, transfer)).body.status).toBe("quarantined");
    expect(await rowOf(transfer.id)).toBeUndefined();
  });

  const parkedUnder = async (id: string) =>
    (await world.owner.query("select * from quarantined_transfers where bank_transfer_id = $1 order by reason", [id]))
      .rows;
  const shownUnder = async (id: string) =>
    (await world.others.request(listExceptions, {})).quarantined.filter((one) => one.bank_transfer_id === id);

  test("a reversal that names no transfer of ours, and any other type of report, is quarantined with its reason and never credited", async () => {
    const { accountNumber } = await aLiveAccount();
    const { id, account_number, amount, currency } = aReport(accountNumber);
    const recall = { id, account_number, amount, currency, type: "reversal" };
    expect((await report(world, recall)).body.status).toBe("quarantined");
    expect(await rowOf(id)).toBeUndefined();
    expect((await report(world, { ...recall, type: "chargeback" })).body.status).toBe("quarantined");
    const [parked] = await parkedUnder(id);
    expect(parked).toMatchObject({
      times: 2,
      reason: expect.stringMatching(/a reversal.*; a report of type chargeback/),
    });
    expect(await shownUnder(id)).toHaveLength(1);
    // A later credit under this id is accepted.
    expect((await report(world, aReport(accountNumber, { id, type: "credit" }))).body.status).toBe("accepted");
  });

  test("an amount above the limit is real money: it is quarantined, and never refused with 400", async () => {
    const { accountNumber } = await aLiveAccount();
    expect((await report(world, aReport(accountNumber, { amount: 10_000_000_000 }))).body.status).toBe("accepted");
    for (const amount of [10_000_000_000.01, 9_999_999_999_999.99, 1e14, 1e17]) {
      const transfer = aReport(accountNumber, { amount });
      expect(await report(world, transfer)).toEqual({ status: 200, body: { id: transfer.id, status: "quarantined" } });
      expect(await rowOf(transfer.id)).toBeUndefined();
      expect(await shownUnder(transfer.id)).toMatchObject([{ reason: "an amount above ₦10,000,000,000.00" }]);
    }
  });

  test("a retired account is credited anyway, and flagged", async () => {
    const { merchant, accountNumber } = await aLiveAccount();
    await world.others.request(retireCustomerAccount, { merchant, customer_reference: "cust_42" });
    const transfer = aReport(accountNumber);
    expect((await report(world, transfer)).body.status).toBe("accepted");
    expect(await rowOf(transfer.id)).toMatchObject({ merchant_id: merchant.id, account_retired: true });
  });

  test("a wrong signature is refused before the body is read, and nothing is written", async () => {
    const transfer = aReport("0000000017");
    for (const signature of [
      "",
      "00",
      signBody(JSON.stringify(transfer), "another secret"),
      signBody("{}", BANK_DOOR_SECRET),
    ]) {
      const refused = await report(world, transfer, signature);
      expect(refused).toMatchObject({ status: 401, body: { code: "invalid_signature", status: 401 } });
    }
    expect(await rowOf(transfer.id)).toBeUndefined();
  });

  test("a report that is signed with either of two secrets is accepted, so that the bank can change over", async () => {
    for (const secret of [OLD_DOOR_SECRET, BANK_DOOR_SECRET]) {
      const { accountNumber } = await aLiveAccount();
      const transfer = aReport(accountNumber);
      const { body } = await report(world, transfer, signBody(JSON.stringify(transfer), secret));
      expect(body).toEqual({ id: transfer.id, status: "accepted" });
    }
  });

  test.each(["gzip", "deflate", "br"])(
    "a body in %s is refused whatever it says: the signature is over the bytes that came",
    async (encoding) => {
      const { accountNumber } = await aLiveAccount();
      const transfer = aReport(accountNumber);
      const [plain, compressed] = [JSON.stringify(transfer), gzipSync(JSON.stringify(transfer))];
      for (const signed of [plain, compressed]) {
        const headers = { "content-encoding": encoding, [SIGNATURE_HEADER]: signBody(signed, BANK_DOOR_SECRET) };
        const refused = await fetch(world.doorUrl, { method: "POST", headers, body: compressed });
        expect([refused.status, await refused.json()]).toEqual([
          415,
          expect.objectContaining({ code: "unsupported_media_type" }),
        ]);
      }
      expect(await rowOf(transfer.id)).toBeUndefined();
      expect((await report(world, transfer)).body.status).toBe("accepted");
    },
  );

  test.each([
    ["{", "malformed_body"],
    ["[]", "validation_failed"],
    [{ amount: 0 }, "validation_failed"],
    [{ amount: -1 }, "validation_failed"],
    [{ amount: 1.005 }, "validation_failed"],
    [{ amount: "100" }, "validation_failed"],
    [{ id: "" }, "validation_failed"],
    [{ account_number: "123" }, "validation_failed"],
    [{ paid_at: "yesterday" }, "validation_failed"],
    [{ payer: undefined }, "validation_failed"],
  ])("a signed body that is wrong is refused: %j", async (wrong, code) => {
    const id = randomUUID();
    const body = typeof wrong === "string" ? wrong : { ...aReport("0000000017"), id, ...wrong };
    expect(await report(world, body)).toMatchObject({ status: 400, body: { code } });
    expect(await rowOf(id)).toBeUndefined();
  });
});

test("a time of payment that cannot be is that of the receipt, and the bank's repeats are the same transfer", async () => {
  const { accountNumber } = await aLiveAccount();
  const paidAt = async (paid_at: string) => {
    const transfer = aReport(accountNumber, { paid_at });
    expect((await report(world, transfer)).body.status).toBe("accepted");
    expect((await report(world, transfer)).body.status).toBe("duplicate");
    return rowOf(transfer.id);
  };
  const [day, now] = [86_400_000, Date.now()];
  for (const wrong of ["9999-12-31T00:00:00Z", "2031-01-01T00:00:00Z", new Date(now - 91 * day).toISOString()]) {
    const { paid_at, received_at } = await paidAt(wrong);
    expect(Math.abs(Date.parse(paid_at) - Date.parse(received_at))).toBeLessThan(10_000); // both read off the clock
  }
  for (const plausible of [now - 89 * day, now + day / 2].map((at) => instantOf(new Date(at))))
    expect(await paidAt(plausible)).toMatchObject({ paid_at: plausible });
});

test("a bank's report can be neither changed nor deleted, not even by the owner of the database", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  await report(world, transfer);
  await expect(
    world.owner.query("update inbound_transfers set amount = 1 where bank_transfer_id = $1", [transfer.id]),
  ).rejects.toThrow("cannot be deleted");
  await expect(
    world.owner.query("update inbound_transfers set merchant_id = 'mer_other' where bank_transfer_id = $1", [
      transfer.id,
    ]),
  ).rejects.toThrow();
  await expect(world.owner.query("delete from inbound_transfers")).rejects.toThrow("cannot be deleted");
  await expect(world.pool.query("delete from inbound_transfers")).rejects.toThrow("permission denied");
});
