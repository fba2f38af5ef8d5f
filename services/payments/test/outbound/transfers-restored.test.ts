import { type Payout, type PayoutPartner, UNCERTAIN } from "@collect/bank";
import { expect, test } from "vitest";
import { onlyPartner } from "../../src/outbound/domain/payout-partners.ts";
import { forgetWhatWasUnknown, readTransfers } from "../../src/outbound/store/transfer-recovery.ts";
import { advance, driveTransfer } from "../../src/outbound/use-cases/advance-transfer.ts";
import { startBank } from "./http-bank.ts";
import { useSteps } from "./steps-world.ts";
import { aFundedMerchant, LIVE_ACCOUNT, partnerAt, rowsOf } from "./transfers-world.ts";

const { world, ledger, depsWith, aCreatedTransfer } = await useSteps();

test.each([
  ["has in progress", undefined, 0],
  ["may never have received", true, 1],
] as const)(
  "in a restored database, a payout that the bank %s is ordered as it has to be",
  async (_case, isUncertain, times) => {
    const bank = await startBank();
    const { partners, ...deps } = depsWith(bank);
    const { standard } = partners.live;
    const state = {
      status: "pending",
      failureCode: null,
      failureReason: null,
      ...(isUncertain && { isUncertain }),
    } as const;
    const live = onlyPartner({ ...standard, payouts: { ...standard.payouts, enquire: async () => state } });
    const recovered = { ...deps, partners: { ...partners, live }, hasRecovered: () => true };
    const created = await aCreatedTransfer(aFundedMerchant(ledger, "live"));
    const reserved = await advance(recovered, created);
    if (!reserved) throw new Error("the money is not reserved");
    await advance(recovered, reserved);
    expect(bank.sent).toHaveLength(times);
  },
);

test("in a restored database, a payout goes to the partner that may have it, whichever pays out by now", async () => {
  const [former, bank] = [await startBank(), await startBank()];
  const { partners, ...deps } = depsWith(bank);
  const { standard } = partners.live;
  const mayHaveIt = { ...partnerAt(former.url), id: "former" };
  const unsure = { ...mayHaveIt, payouts: { ...mayHaveIt.payouts, enquire: async () => UNCERTAIN } };
  const live = { all: [standard, unsure], standard };
  const recovered = { ...deps, partners: { ...partners, live }, hasRecovered: () => true };
  const merchant = aFundedMerchant(ledger, "live");
  await driveTransfer(recovered, await aCreatedTransfer(merchant));
  expect([former.sent.length, bank.sent.length]).toEqual([1, 0]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ partner: "former", status: "success" }]);
});

test("in a restored database, a payout that several partners may have is ordered at none, and ends as one of them says", async () => {
  const banks = [await startBank(), await startBank()] as const;
  const { partners, ...deps } = depsWith(banks[0]);
  const [standard, other] = [partners.live.standard, { ...partnerAt(banks[1].url), id: "other" }];
  const unsure = (partner: PayoutPartner) => {
    const enquire = async (payout: Payout) => (await partner.payouts.enquire(payout)) ?? UNCERTAIN;
    return { ...partner, payouts: { ...partner.payouts, enquire } };
  };
  const live = { all: [unsure(standard), unsure(other)], standard: unsure(standard) };
  const recovered = { ...deps, partners: { ...partners, live }, hasRecovered: () => true };
  const merchant = aFundedMerchant(ledger, "live");
  const { reference } = await aCreatedTransfer(merchant);
  for (let time = 0; time < 3; time += 1)
    for (const transfer of await readTransfers(world.pool, [reference])) await driveTransfer(recovered, transfer);
  expect(await rowsOf(world, merchant)).toMatchObject([{ partner: null, step: "sending", status: "pending" }]);
  banks[1].payouts.set(reference, { id: reference, ...LIVE_ACCOUNT, amount: 2500.73, status: "success" });
  for (const transfer of await readTransfers(world.pool, [reference])) await driveTransfer(recovered, transfer);
  expect(await rowsOf(world, merchant)).toMatchObject([{ status: "success" }]);
  expect(banks.map(({ sent }) => sent)).toEqual([[], []]);
});

test("in a restored database, a refusal of an order is not the end of one that may have been sent before", async () => {
  const bank = await startBank();
  const { partners, ...deps } = depsWith(bank);
  bank.onPay((order, response) => {
    bank.accept(order, "failed");
    bank.answer(response, order.id);
    bank.payouts.delete(order.id);
  });
  for (const [hasRecovered, step] of [
    [false, "booked"],
    [true, "sending"],
  ] as const) {
    const merchant = aFundedMerchant(ledger, "live");
    await driveTransfer({ ...deps, partners, hasRecovered: () => hasRecovered }, await aCreatedTransfer(merchant));
    expect(await rowsOf(world, merchant)).toMatchObject([{ step }]);
  }
  expect(bank.sent).toHaveLength(2);
});

test("a restore forgets that the bank did not know a transfer before it: the bank may have had it since", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  bank.onPay((_order, response) => void response.destroy());
  const merchant = aFundedMerchant(ledger, "live");
  const { reference } = await aCreatedTransfer(merchant);
  const drive = async () => {
    for (const transfer of await readTransfers(world.pool, [reference])) await driveTransfer(deps, transfer);
  };
  const makeOld = () =>
    world.owner.query(
      "update transfers set sent_at = now() - interval '1 hour', unknown_since = now() - interval '1 hour' where reference = $1",
      [reference],
    );
  await drive();
  await makeOld();
  for (let time = 0; time < 2; time += 1) await forgetWhatWasUnknown(world.pool);
  for (let time = 0; time < 3; time += 1) await drive();
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", unknown_since: expect.any(String) }]);
  await makeOld();
  await drive();
  expect(await rowsOf(world, merchant)).toMatchObject([{ status: "failed", failure_code: "not_received" }]);
});

test.each([
  ["no partner has goes by the one that is chosen for its merchant", false, "chosen"],
  ["another partner has stays there, although one is chosen for its merchant", true, "729"],
])("in a restored database, a payout that %s", async (_case, isSent, partner) => {
  const [former, chosen] = [await startBank(), await startBank()];
  const { partners, ...deps } = depsWith(former);
  const { standard } = partners.live;
  const live = { all: [standard, { ...partnerAt(chosen.url), id: "chosen" }], standard };
  const merchant = aFundedMerchant(ledger, "live");
  const choice = "insert into payout_partner_choices (merchant_id, partner, reason) values ($1, 'chosen', 'Moved')";
  await world.owner.query(choice, [merchant.id]);
  const created = await aCreatedTransfer(merchant);
  const { reference } = created;
  if (isSent) former.payouts.set(reference, { id: reference, ...LIVE_ACCOUNT, amount: 2500.73, status: "success" });
  await driveTransfer({ ...deps, partners: { ...partners, live }, hasRecovered: () => true }, created);
  expect(await rowsOf(world, merchant)).toMatchObject([{ partner, status: "success" }]);
  expect([former.sent, chosen.sent]).toEqual(isSent ? [[], []] : [[], [reference]]);
});
