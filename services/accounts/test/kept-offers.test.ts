import type { BankReport } from "@collect/bank";
import { instantOf, Problem, startRecovery, withdrawMissedTransfer } from "@collect/contracts";
import { expect, test } from "vitest";
import { intakeIdOf } from "../src/domain/intake.ts";
import { aLine, lines, offer, serveOffers } from "./offering.ts";
import { ledger, playLedger, posted } from "./others.ts";
import { aLiveMerchant, issueTo, rowsReported, startWithPartner } from "./partners-world.ts";
import { aReport, PAID_AT } from "./world.ts";

/** Offers that accounts keeps after a restore, since what became of them was not known, and that the partner refuses when they are repeated. */

const { partner, world } = await startWithPartner();
await playLedger(world);
await serveOffers(world);

let serial = 0;

/** A transfer that the bank has, whose line an earlier release gave away under a wrong id, as it stands after a restore. */
async function aKept(
  of: "an id that the bank does not know" | "another transfer" = "an id that the bank does not know",
) {
  const { account } = await issueTo(world, aLiveMerchant(), "cust_1");
  const accountNumber = account.account_number;
  const [id, wrong] = [`K-${++serial}`, `WRONG-${serial}`];
  const known: BankReport = {
    ...{ type: "credit", id, reverses: null, sessionId: null, settlementId: id, accountNumber, amount: 100_000n },
    ...{ bankFee: 0n, bankVat: 0n, currency: "NGN", narration: null, paidAt: PAID_AT },
    payer: { name: "CHIDI EZE", accountNumber: null, bankName: null },
  };
  partner.known.push(known);
  if (of === "another transfer") partner.known.push({ ...known, id: wrong, amount: 200_000n });
  const line = aLine({ bank: partner.id, amount: 100_000n });
  const made = { id: wrong, account_number: accountNumber, amount: 100_000n, offered_at: PAID_AT };
  Object.assign(lines.get(line) ?? {}, { offer: made });
  await world.owner.query("insert into line_offers (line, offered_at, is_withdrawn) values ($1, $2, false)", [
    line,
    PAID_AT,
  ]);
  const offering = (bankId: string, other: object = {}) =>
    codeOf(offer(aReport(accountNumber, { id: bankId }), { line, amount: "100000", paid_at: null, ...other }));
  const takeBack = () =>
    codeOf(
      world.others.request(withdrawMissedTransfer, { line, bank_transfer_id: wrong, reason: "the bank refuses it" }),
    );
  return { id, wrong, offering, takeBack, intakeId: intakeIdOf("k".repeat(32), identityOf(wrong)) };
}
const identityOf = (bankTransferId: string) => ({ bank: partner.id, mode: "live" as const, bankTransferId });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: Problem) => code,
  );

test.each([
  ["an id that the bank does not know", "not_found"],
  ["another transfer", "offer_contradicts_partner"],
] as const)("one of %s is taken back once its repeat is refused, and its line is credited", async (of, refusal) => {
  const { id, wrong, offering, takeBack } = await aKept(of);
  expect(await takeBack()).toBe("conflict");
  expect(await Promise.all([offering(wrong), offering(wrong)])).toEqual([refusal, refusal]);
  expect(await takeBack()).toBe("done");
  expect(await offering(id)).toBe("done");
  expect([await rowsReported(world, id), await rowsReported(world, wrong)]).toMatchObject([[{}], []]);
});

test("one that may have been credited stays: the ledger is away, has it, or keeps it as a dead letter", async () => {
  const { wrong, intakeId, offering, takeBack } = await aKept();
  ledger.isAway = true;
  expect([await offering(wrong), await takeBack()]).toEqual(["not_found", "conflict"]);
  ledger.isAway = false;
  for (const amount of ["100000", null]) {
    posted.set(intakeId, amount);
    expect([await offering(wrong), await takeBack()]).toEqual(["not_found", "conflict"]);
  }
  posted.delete(intakeId);
  expect([await offering(wrong), await takeBack()]).toEqual(["not_found", "done"]);
});

test("one stays if the partner does not answer, or refuses what was not offered", async () => {
  const { wrong, offering, takeBack } = await aKept("another transfer");
  const { lookup } = partner;
  if (!lookup) throw new Error("the partner can be asked");
  const { byId } = lookup;
  lookup.byId = () => Promise.reject(new Problem("provider_timeout", "The bank did not respond."));
  expect([await offering(wrong), await takeBack()]).toEqual(["provider_timeout", "conflict"]);
  lookup.byId = byId;
  for (const other of [{ amount: "90000" }, { account_number: "9999999999" }])
    expect([await offering(wrong, other), await takeBack()]).toEqual(["offer_contradicts_partner", "conflict"]);
});

// The last one: nothing is recovered in this world.
test("an offer during whose confirmation accounts is restored does not claim its line", async () => {
  const { id, wrong, offering, takeBack } = await aKept();
  await offering(wrong);
  expect(await takeBack()).toBe("done");
  const { lookup } = partner;
  if (!lookup) throw new Error("the partner can be asked");
  const { byId } = lookup;
  lookup.byId = async (asked) => {
    await world.others.request(startRecovery.accounts, { restored_to: instantOf(new Date()) });
    return byId(asked);
  };
  expect(await offering(id)).toBe("service_unavailable");
  expect([...lines.values()].filter(({ offer }) => offer?.id === id)).toEqual([]);
});
