import { nuban } from "@collect/bank";
import { describe, expect, test } from "vitest";
import { emptyDirectory } from "../simulator.ts";
import { providus } from "./simulator.ts";

const at = (bankCode: string, serial = "000000701") => ({ bankCode, accountNumber: nuban({ bankCode, serial }) });
const payout = { id: "trf_1", ...at("058"), accountName: "NGOZI EZE", amount: 250_073n, narration: "rent" };
const within = { ...payout, id: "trf_2", ...at("101"), narration: null };
const doneWithin = { status: "success", failureCode: null, failureReason: null };
/** Over NIP the bank names the session. */
const done = { ...doneWithin, sessionId: expect.stringMatching(/^\d{30}$/) };
const pending = { status: "pending", failureCode: null, failureReason: null };

test("the name of an account is its holder's, at other banks, at the bank itself and in its wallets", async () => {
  const { partner } = await providus();
  expect(await partner.payouts.nameOf(at("058"))).toMatch(/^[A-Z]+ [A-Z]+$/);
  expect(await partner.payouts.nameOf(at("101"))).toMatch(/^[A-Z]+ [A-Z]+$/);
  expect(await partner.payouts.nameOf({ bankCode: "999992", accountNumber: "8012345678" })).toMatch(/^[A-Z]+ [A-Z]+$/);
  for (const bankCode of ["058", "101"]) {
    const { accountNumber } = at(bankCode);
    const mistyped = `${accountNumber.slice(0, 9)}${(Number(accountNumber[9]) + 1) % 10}`;
    expect(await partner.payouts.nameOf({ bankCode, accountNumber: mistyped })).toBeUndefined();
  }
});

test.each([payout, within])("$id is paid once, is known when it is asked for, and leaves the books", async (order) => {
  const { partner, shown } = await providus();
  const paid = order.bankCode === "101" ? doneWithin : done;
  expect(await partner.payouts.pay(order)).toEqual(paid);
  expect(await partner.payouts.enquire(order)).toEqual(paid);
  // The bank refuses the reference a second time: that says nothing about the first.
  expect(await partner.payouts.pay(order)).toEqual(pending);
  expect(await shown("/books")).toMatchObject({ paidOut: 250_073 });
});

describe("a payout", () => {
  test.each([
    ["09", "00", "success"],
    ["32", "32", "failed"],
    ["94", "00", "success"],
    ["96", "00", "success"],
    ["96", "07", "failed"],
    ["68", "00", "success"],
    ["97", "00", "success"],
    ["09", "09", "pending"],
    ["25", "25", "pending"],
  ])("that is answered with %s is pending, and with %s when it is asked for %s", async (order, status, then) => {
    const { partner, control, shown } = await providus();
    await control("/payouts", { order, status, times: 1 });
    expect(await partner.payouts.pay(payout)).toEqual(pending);
    expect(await partner.payouts.enquire(payout)).toMatchObject({ status: then });
    expect(await shown("/books")).toMatchObject({ paidOut: status === "00" ? 250_073 : 0 });
  });

  test.each(["timeout", "cut", "nonsense", "fail_late"])(
    "whose answer is lost (%s) has left: it is found by asking, and never sent again",
    async (behaviour) => {
      const { partner, partnerFor, control, shown } = await providus();
      await control("/behaviour", { operation: "payout", behaviour, times: 1 });
      const code = behaviour === "timeout" ? "provider_timeout" : "provider_error";
      await expect(partnerFor(behaviour).payouts.pay(payout)).rejects.toMatchObject({ code });
      expect(await partner.payouts.enquire(payout)).toEqual(done);
      expect(await shown("/books")).toMatchObject({ paidOut: 250_073 });
    },
  );

  test.each(["91", "96", "97", "8803"])("is still asked for while the bank answers %s", async (code) => {
    const { partner, control } = await providus();
    await control("/payouts", { order: code, status: code, times: 1 });
    expect(await partner.payouts.pay(payout)).toEqual(pending);
    await expect(partner.payouts.enquire(payout)).rejects.toMatchObject({ code: "provider_error" });
    await control("/payouts/trf_1", { status: "00" });
    expect(await partner.payouts.enquire(payout)).toEqual(done);
  });

  test("that the bank never got stays pending: only a person can say that it will never arrive", async () => {
    const { partner, control } = await providus();
    await control("/behaviour", { operation: "payout", behaviour: "fail", times: 1 });
    await expect(partner.payouts.pay(payout)).rejects.toMatchObject({ code: "provider_error" });
    expect(await partner.payouts.enquire(payout)).toEqual({ ...pending, isUncertain: true });
  });

  test("above what is there fails, and so does one to an account that does not exist", async () => {
    const { partner, shown } = await providus();
    for (const order of [payout, within]) {
      const huge = { ...order, amount: 10_000_000_001n };
      expect(await partner.payouts.pay(huge)).toMatchObject({ status: "failed" });
      const nowhere = {
        ...order,
        accountNumber: `${order.accountNumber.slice(0, 9)}${(Number(order.accountNumber[9]) + 1) % 10}`,
      };
      expect(await partner.payouts.pay(nowhere)).toMatchObject({
        status: "failed",
        failureReason: expect.stringMatching(/does not exist/),
      });
    }
    expect(await shown("/books")).toMatchObject({ paidOut: 0 });
  });

  test("that ends at the bank later ends here when it is asked for again", async () => {
    const { partner, control } = await providus();
    await control("/payouts", { order: "09", status: "09", times: 1 });
    await partner.payouts.pay(payout);
    expect(await partner.payouts.enquire(payout)).toEqual(pending);
    await control("/payouts/trf_1", { status: "00" });
    expect(await partner.payouts.enquire(payout)).toEqual(done);
  });

  test("is still known after the bank restarts", async () => {
    const dataDirectory = emptyDirectory();
    const before = await providus({ dataDirectory });
    await before.partner.payouts.pay(payout);
    await before.stop();
    const after = await providus({ dataDirectory });
    expect(await after.partner.payouts.enquire(payout)).toEqual(done);
    expect(await after.partner.payouts.pay(payout)).toEqual(pending);
    expect(await after.shown("/books")).toMatchObject({ paidOut: 250_073 });
  });
});

describe("the credentials", () => {
  const wrong = async (partner: Awaited<ReturnType<typeof providus>>["partner"]) =>
    (await partner.check()).flatMap(({ name, isOk }) => (isOk ? [] : [name]));

  test("are checked without opening an account or moving money", async () => {
    const { partner, shown } = await providus();
    expect(await wrong(partner)).toEqual([]);
    expect([await shown("/accounts"), await shown("/payouts")]).toEqual([{ accounts: [] }, { payouts: [] }]);
  });

  test("that are wrong are found, each on its own", async () => {
    const collecting = await providus({ ours: { clientSecret: "another-secret" } });
    expect(await wrong(collecting.partner)).toEqual(["collections"]);
    const paying = await providus({ ours: { password: "another-password" } });
    expect(await wrong(paying.partner)).toEqual(["payouts"]);
  });

  test("that are refused decide nothing about a payout that was sent before", async () => {
    const dataDirectory = emptyDirectory();
    const before = await providus({ dataDirectory });
    await before.partner.payouts.pay(payout);
    await before.stop();
    const after = await providus({ dataDirectory, ours: { password: "another-password" } });
    await expect(after.partner.payouts.enquire(payout)).rejects.toMatchObject({ code: "provider_error" });
  });
});
