import { describe, expect, test } from "vitest";
import { emptyDirectory, simulator } from "./simulator.ts";

const payout = {
  id: "trf_1",
  bank_code: "011",
  account_number: "0000014579",
  amount: 2500.73,
  narration: "settlement",
};

describe("a payout", () => {
  test("to an account that exists succeeds once, however often it is sent, and can be enquired about", async () => {
    const { call } = await simulator();
    const paid = await call("POST", "/payouts", payout);
    expect(paid).toMatchObject({ status: 200, body: { ...payout, status: "success", failure_code: null } });
    expect(await call("POST", "/payouts", payout)).toEqual(paid);
    expect(await call("GET", "/payouts/trf_1")).toEqual(paid);
  });

  test("to an account that does not exist fails, for ever", async () => {
    const { call } = await simulator();
    const failed = await call("POST", "/payouts", { ...payout, account_number: "0000014578" });
    expect(failed).toMatchObject({ status: 200, body: { status: "failed", failure_code: "account_not_found" } });
    expect(await call("GET", "/payouts/trf_1")).toEqual(failed);
  });

  test.each([{ amount: 1 }, { account_number: "0000000220" }, { narration: undefined }])(
    "with a known id and other content (%j) is refused",
    async (change) => {
      const { call } = await simulator();
      await call("POST", "/payouts", payout);
      expect(await call("POST", "/payouts", { ...payout, ...change })).toMatchObject({
        status: 409,
        body: { code: "conflict" },
      });
    },
  );

  test.each([{ amount: 0 }, { amount: 1.005 }, { amount: "1" }, { id: "" }, { bank_code: "1" }])(
    "with %j is refused",
    async (change) => {
      const { call } = await simulator();
      expect(await call("POST", "/payouts", { ...payout, ...change })).toMatchObject({ status: 400 });
    },
  );

  test("that was never made is not found", async () => {
    const { call } = await simulator();
    expect(await call("GET", "/payouts/trf_9")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("is still known after a restart", async () => {
    const dataDirectory = emptyDirectory();
    const before = await simulator({ dataDirectory });
    const paid = await before.call("POST", "/payouts", payout);
    await before.stop();
    const after = await simulator({ dataDirectory });
    expect(await after.call("POST", "/payouts", payout)).toEqual(paid);
  });

  test("whose answer is lost was made all the same", async () => {
    const { call, tell } = await simulator();
    await tell("/control/behaviour", { operation: "payouts", behaviour: "nonsense", times: 1 });
    await expect(call("POST", "/payouts", payout)).rejects.toThrow(SyntaxError);
    expect(await call("GET", "/payouts/trf_1")).toMatchObject({ body: { status: "success" } });
  });
});
