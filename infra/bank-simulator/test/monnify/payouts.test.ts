import { describe, expect, test } from "vitest";
import { emptyDirectory, HANGING_MS } from "../simulator.ts";
import { problem, simulator } from "./simulator.ts";

const payout = {
  ...{ id: "trf_1", bankCode: "011", accountNumber: "0000014579", accountName: "IBRAHIM LAWAL" },
  ...{ amount: 250_073n, narration: "rent" },
};
const state = (status: string, failureCode: string | null = null) => ({
  status,
  failureCode,
  failureReason: failureCode && expect.any(String),
});

async function paying() {
  const simulated = await simulator();
  const { payouts } = simulated.monnify();
  if (!payouts) throw new Error("the adapter pays out");
  return { ...simulated, payouts };
}

describe("a payout through Monnify", () => {
  test("succeeds, and can be asked about", async () => {
    const { payouts } = await paying();
    expect(await payouts.enquire(payout)).toBeUndefined();
    expect(await payouts.pay(payout)).toEqual(state("success"));
    expect(await payouts.enquire(payout)).toEqual(state("success"));
  });

  test("that was sent already moves no more money, and is asked about", async () => {
    const { payouts, monnify } = await paying();
    await payouts.pay(payout);
    expect(await payouts.pay(payout)).toEqual(state("pending"));
    const [, , wallet] = await monnify().check();
    expect(wallet?.detail).toBe("The wallet holds ₦49,997,499.27.");
  });

  test.each([
    ["SUCCESS", "success", null],
    ["FAILED", "failed", "declined"],
    ["EXPIRED", "failed", "expired"],
    ["REVERSED", "reversed", "returned"],
  ])("that is pending becomes %s later", async (status, expected, code) => {
    const { payouts, control } = await paying();
    await control("disbursements", { begin: "PENDING", times: 1 });
    expect(await payouts.pay(payout)).toEqual(state("pending"));
    expect(await payouts.enquire(payout)).toEqual(state("pending"));
    await control("disbursements/trf_1", { status, reason: "Rejected by destination institution" });
    expect(await payouts.enquire(payout)).toEqual(state(expected, code));
  });

  test("that Monnify failed without a definite reason stays pending, and its id is refused a second time", async () => {
    const { payouts, control } = await paying();
    await control("disbursements", { begin: "PENDING", times: 1 });
    await payouts.pay(payout);
    await control("disbursements/trf_1", { status: "FAILED", reason: "Timeout waiting for response from destination" });
    expect(await payouts.enquire(payout)).toEqual({ ...state("pending"), isUncertain: true });
    expect(await payouts.pay(payout)).toEqual(state("pending"));
    expect(await payouts.enquire(payout)).toMatchObject({ isUncertain: true });
  });

  test.each(["timeout", "nonsense"])(
    "whose answer is lost (%s) is neither paid nor unpaid, until it is asked about",
    async (behaviour) => {
      const { monnify, control } = await paying();
      await control("behaviour", { operation: "disburse", behaviour, times: 1 });
      const { payouts } = monnify(behaviour === "timeout" ? { timeoutMs: HANGING_MS } : {});
      expect((await problem(payouts?.pay(payout) ?? Promise.resolve())).code).toMatch(/^provider_/);
      expect(await monnify().payouts?.enquire(payout)).toEqual(state("success"));
    },
  );

  test("is sent once although its token ends in the middle", async () => {
    const { payouts, control, monnify } = await paying();
    await payouts.nameOf(payout);
    await control("tokens", { end_after: 0 });
    expect(await payouts.pay(payout)).toEqual(state("success"));
    expect((await monnify().check())[2]?.detail).toBe("The wallet holds ₦49,997,499.27.");
  });

  test("that waits for a one-time password is no failure: the operator's log says what to do", async () => {
    const { payouts, control } = await paying();
    await control("disbursements", { begin: "PENDING_AUTHORIZATION", times: 1 });
    for (const call of [payouts.pay(payout), payouts.enquire(payout)])
      expect(await problem(call)).toMatchObject({
        code: "provider_error",
        detail: expect.stringContaining("one-time password"),
      });
    await control("disbursements/trf_1", { status: "EXPIRED" });
    expect(await payouts.enquire(payout)).toEqual(state("failed", "expired"));
  });

  test.each([
    ["D03", "failed", "invalid_account"],
    ["D04", "failed", "partner_balance"],
    ["D06", "failed", "partner_refused"],
    ["D05", "pending", null],
    ["D07", "pending", null],
  ])("that is refused with %s is %s", async (refusal, expected, code) => {
    const { payouts, control } = await paying();
    await control("disbursements", { refusal, times: 1 });
    expect(await payouts.pay(payout)).toEqual(state(expected, code));
    expect(await payouts.enquire(payout)).toBeUndefined();
  });

  test.each(["D01", "D02", "99"])("that is refused with %s may have been sent", async (refusal) => {
    const { payouts, control } = await paying();
    await control("disbursements", { refusal, times: 1 });
    expect((await problem(payouts.pay(payout))).code).toBe("provider_error");
  });

  test("of less than ₦20.00 fails at once; a short narration is completed", async () => {
    const { payouts, control } = await paying();
    expect(await payouts.pay({ ...payout, amount: 1_999n })).toEqual(state("failed", "below_minimum"));
    expect(await payouts.enquire({ ...payout, amount: 1_999n })).toBeUndefined();
    for (const [id, narration] of [
      ["trf_2", "Oj"],
      ["trf_3", null],
      ["trf_4", "  "],
    ] as const)
      expect(await payouts.pay({ ...payout, id, narration, amount: 2_000n })).toEqual(state("success"));
    const changed = await control("disbursements/trf_2", { status: "SUCCESS" });
    expect(changed.body.narration).toBe("Transfer Oj");
  });

  test("that the wallet cannot cover fails", async () => {
    const { payouts } = await paying();
    expect(await payouts.pay({ ...payout, amount: 5_000_000_001n })).toEqual(state("failed", "partner_balance"));
  });

  test("is still known after a restart", async () => {
    const dataDirectory = emptyDirectory();
    const before = await simulator({ dataDirectory });
    await before.monnify().payouts?.pay(payout);
    await before.stop();
    const after = await simulator({ dataDirectory });
    expect(await after.monnify().payouts?.enquire(payout)).toEqual(state("success"));
  });
});

describe("the holder of an account", () => {
  test("is found at banks, microfinance banks and wallets, by Monnify's codes", async () => {
    const { payouts } = await paying();
    expect(await payouts.nameOf({ bankCode: "011", accountNumber: "0000014579" })).toBe("IBRAHIM LAWAL");
    expect(await payouts.nameOf({ bankCode: "999992", accountNumber: "8088524531" })).toBe("DAYO LAWAL");
    const account = { requestId: "iss_1", accountName: "Chidi", identity: { bvn: "22212345678" } };
    const { monnify } = await simulator();
    const { issuer, payouts: sameWallet } = monnify();
    const { bankCode, accountNumber } = await issuer.issueAccount(account);
    expect(await sameWallet?.nameOf({ bankCode, accountNumber })).toBe("Chidi");
  });

  test("is undefined for an account that does not exist, and unknown if Monnify fails", async () => {
    const { payouts, control } = await paying();
    expect(await payouts.nameOf({ bankCode: "011", accountNumber: "0000014578" })).toBeUndefined();
    await control("behaviour", { operation: "name-enquiry", behaviour: "fail", times: 1 });
    expect((await problem(payouts.nameOf(payout))).code).toBe("provider_error");
  });
});
