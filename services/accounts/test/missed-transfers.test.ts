import {
  getAccountOwner,
  issueCollectionAccount,
  type Problem,
  retireCustomerAccount,
  withdrawMissedTransfer,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { createIntake } from "../src/use-cases/intake.ts";
import { aLiveAccount, factsOf, rowOf, world } from "./intake-world.ts";
import { aLine, line, lines, offer, useOffers, whileClaimed } from "./offering.ts";
import { aReport, report } from "./world.ts";

await useOffers();

test("a transfer whose notification was lost is credited once, though it is offered twice and then reported", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const of = { line: aLine() };
  const [first, second] = await Promise.all([offer(transfer, of), offer(transfer, of)]);
  expect([first.status, second.status].toSorted()).toEqual(["accepted", "duplicate"]);
  expect(first.intake_id).toBe(second.intake_id);
  expect(await rowOf(transfer.id)).toMatchObject({
    merchant_id: merchant.id,
    amount: 250_073n,
    intake_id: first.intake_id,
  });
  await until("published", () => factsOf(first.intake_id).length > 0);
  expect((await report(world, transfer)).body.status).toBe("duplicate");
});

test("the owner that is shown before is the one who is credited, with a customer, without one, and retired; another bank's account of this number has none", async () => {
  const { merchant, accountNumber } = await aLiveAccount();
  const ownerOf = async (account_number: string, bank = "729") =>
    (await world.others.request(getAccountOwner, { bank, account_number })).owner;
  const owner = {
    ...{ merchant_id: merchant.id, account_name: "Acme Stores / Ada Obi", customer_reference: "cust_42" },
    ...{ customer_name: "Ada Obi", is_retired: false },
  };
  expect(await ownerOf(accountNumber)).toEqual(owner);
  for (const of of [ownerOf(accountNumber, "044"), ownerOf("9999999999")]) expect(await of).toBeNull();
  await world.others.request(retireCustomerAccount, { merchant, customer_reference: "cust_42" });
  expect(await ownerOf(accountNumber)).toEqual({ ...owner, is_retired: true });
  const transfer = aReport(accountNumber);
  await offer(transfer);
  expect(await rowOf(transfer.id)).toMatchObject({ merchant_id: merchant.id, customer_reference: "cust_42" });

  const own = await world.others.request(issueCollectionAccount, { merchant, position: 1 });
  expect(await ownerOf(own.account_number)).toMatchObject({ merchant_id: merchant.id, customer_reference: null });
});

test("what the bank kept is what the line lacks", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const session_id = "000014000013261121093000123456";
  await offer(transfer, { line: aLine({ amount: 248_998n, session_id }) });
  expect(await rowOf(transfer.id)).toMatchObject({ amount: 250_073n, bank_fee: 1_075n, bank_vat: 0n, session_id });
});

test("one that was reported is a duplicate", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  await report(world, transfer);
  expect((await offer(transfer)).status).toBe("duplicate");
});

test("a late report of another amount is quarantined, and what was credited stays", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  const { intake_id } = await offer(transfer, { amount: "250100" });
  expect((await report(world, transfer)).body.status).toBe("quarantined");
  expect(await rowOf(transfer.id)).toMatchObject({ intake_id, amount: 250_100n });
});

test("one of a bank that is no partner is refused: it would be another transfer", async () => {
  const { accountNumber } = await aLiveAccount();
  const transfer = aReport(accountNumber);
  expect(await offer(transfer, { line: aLine({ bank: "044" }) }).catch(({ code }: Problem) => code)).toBe("not_found");
  expect((await report(world, transfer)).body.status).toBe("accepted");
});

test("one line is credited once: neither without a line, nor under a second id, nor by a report of its session under another id", async () => {
  const { accountNumber } = await aLiveAccount();
  const [typed, right] = [aReport(accountNumber), aReport(accountNumber)];
  const sessionId = "000014000013261121093000000017";
  const of = { line: aLine({ session_id: sessionId }) };
  const refused = (given: object) => offer(right, given).catch(({ code }: Problem) => code);
  expect(await refused({ line: "999" })).toBe("not_found");
  expect(await refused({ ...of, paid_at: null })).toBe("validation_failed");
  lines.set(of.line, { ...line, session_id: sessionId });
  const { intake_id, status } = await offer(typed, of);
  expect(status).toBe("accepted");
  expect(await refused(of)).toBe("conflict");
  // As after a restore of statements, which has forgotten the offer.
  expect(await refused({ line: aLine({ session_id: sessionId }) })).toBe("conflict");
  const takeReversal = () => Promise.reject(new Error("this test expects no reversal"));
  const intake = createIntake({
    ...world,
    pools: world.pools.path,
    ownBank: "729",
    intakeKey: "k".repeat(32),
    takeReversal,
  });
  const late = { bank: "729", mode: "live" as const, type: "credit", currency: "NGN", amount: 250_073n, accountNumber };
  const reported = (bankTransferId: string) =>
    intake.accept({
      ...{ ...late, bankTransferId, sessionId, narration: null, paidAt: null },
      payer: { name: "CHIDI EZE", accountNumber: null, bankName: null },
    });
  expect(await reported(typed.id)).toEqual({ intakeId: intake_id, status: "duplicate" });
  expect(await reported(right.id)).toMatchObject({ status: "quarantined" });
  expect(await rowOf(right.id)).toBeUndefined();
});

describe("an offer under a wrong id", () => {
  const SESSION = "000014000013261121093000000018";
  const withdraw = (line: string, { id }: ReturnType<typeof aReport>) =>
    world.others.request(withdrawMissedTransfer, { line, bank_transfer_id: id, reason: "a digit was wrong" }).then(
      () => "withdrawn",
      ({ code }: Problem) => code,
    );

  test("is withdrawn while nothing was credited under it, and the line is credited under the right one", async () => {
    const { accountNumber } = await aLiveAccount();
    const [wrong, right] = [aReport(accountNumber), aReport(accountNumber)];
    await report(world, wrong);
    const of = { line: aLine({ session_id: SESSION }) };
    expect((await offer(wrong, { ...of, amount: "1000" })).status).toBe("quarantined");
    expect(await withdraw(of.line, right)).toBe("not_found");
    const twice = await Promise.all([withdraw(of.line, wrong), withdraw(of.line, wrong)]);
    expect(twice).toContain("withdrawn");
    expect(await withdraw(of.line, wrong)).toBe("not_found");
    expect((await offer(right, of)).status).toBe("accepted");
  });

  test("stays when it was credited: the same again is a duplicate, and a report of the session is in quarantine", async () => {
    const { accountNumber } = await aLiveAccount();
    const wrong = aReport(accountNumber);
    const of = { line: aLine() };
    expect((await offer(wrong, of)).status).toBe("accepted");
    expect(await withdraw(of.line, wrong)).toBe("conflict");
    expect((await offer(wrong, of)).status).toBe("duplicate");
  });

  test("is not credited by an act that was under way when it was withdrawn, even if its line stays offered", async () => {
    const { accountNumber } = await aLiveAccount();
    const wrong = aReport(accountNumber);
    const of = { line: aLine() };
    let claims = 0;
    whileClaimed(async (line) => {
      if (++claims !== 2) return;
      const { offer: made } = line;
      expect(await withdraw(of.line, wrong)).toBe("withdrawn");
      line.offer = made;
    });
    const refused = () => offer(wrong, of).catch(({ code }: Problem) => code);
    expect([await refused(), await refused()]).toEqual(["conflict", "conflict"]);
    expect(await rowOf(wrong.id)).toBeUndefined();
    expect(await withdraw(of.line, wrong)).toBe("withdrawn");
    expect((await offer(wrong, of)).status).toBe("accepted");
  });
});
