import { describe, expect, test } from "vitest";
import { emptyDirectory, simulator } from "../simulator.ts";

const payout = {
  id: "trf_1",
  bank_code: "011",
  account_number: "0000014579",
  amount: 2500.73,
  narration: "settlement",
};

describe("a payout", () => {
  test("to an existing account succeeds once, however often it is sent, and can be looked up", async () => {
    const { call } = await simulator();
    const paid = await call("POST", "/payouts", payout);
    expect(paid).toMatchObject({ status: 200, body: { ...payout, status: "success", failure_code: null } });
    expect(await call("POST", "/payouts", payout)).toEqual(paid);
    expect(await call("GET", "/payouts/trf_1")).toEqual(paid);
  });

  test("to an unknown account fails permanently", async () => {
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

  test("that was never sent is not found", async () => {
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

  test("with a lost response was executed nevertheless", async () => {
    const { call, control } = await simulator();
    await control("/control/behaviour", { operation: "payouts", behaviour: "nonsense", times: 1 });
    await expect(call("POST", "/payouts", payout)).rejects.toThrow(SyntaxError);
    expect(await call("GET", "/payouts/trf_1")).toMatchObject({ body: { status: "success" } });
  });
});

describe("a payout configured to begin as pending", () => {
  async function pending() {
    const opened = await simulator();
    await opened.control("/control/payouts", { begin: "pending", times: 1 });
    expect(await opened.call("POST", "/payouts", payout)).toMatchObject({
      status: 200,
      body: { status: "pending", completed_at: null },
    });
    return opened;
  }

  test("stays pending however often it is sent, and the next ones are settled", async () => {
    const { call } = await pending();
    expect(await call("POST", "/payouts", payout)).toMatchObject({ body: { status: "pending" } });
    expect(await call("POST", "/payouts", { ...payout, id: "trf_2" })).toMatchObject({ body: { status: "success" } });
  });

  test.each(["success", "failed"])("is settled later as %s, once", async (status) => {
    const { call, control } = await pending();
    const settled = await control("/control/payouts/trf_1", { status });
    expect(settled).toMatchObject({ status: 200, body: { status, completed_at: expect.any(String) } });
    expect(await control("/control/payouts/trf_1", { status })).toEqual(settled);
    expect(await call("GET", "/payouts/trf_1")).toEqual(settled);
  });

  test("cannot be reversed before it has succeeded", async () => {
    const { control } = await pending();
    expect(await control("/control/payouts/trf_1", { status: "reversed" })).toMatchObject({ status: 409 });
  });
});

describe("the bank can be configured so that", () => {
  test("the next payouts fail", async () => {
    const { call, control } = await simulator();
    await control("/control/payouts", { begin: "failed", times: 1 });
    const failed = { body: { status: "failed", failure_code: "declined" } };
    expect(await call("POST", "/payouts", payout)).toMatchObject(failed);
    expect(await call("POST", "/payouts", { ...payout, id: "trf_2" })).toMatchObject({ body: { status: "success" } });
  });

  test("a success is reversed, with a reason; a failure is not", async () => {
    const { call, control } = await simulator();
    await call("POST", "/payouts", payout);
    const change = {
      status: "reversed",
      failure_code: "beneficiary_deceased",
      failure_reason: "Returned by the bank.",
    };
    const reversed = await control("/control/payouts/trf_1", change);
    expect(reversed).toMatchObject({ status: 200, body: change });
    expect(await call("POST", "/payouts", payout)).toEqual(reversed);
    await call("POST", "/payouts", { ...payout, id: "trf_2", account_number: "0000014578" });
    expect(await control("/control/payouts/trf_2", { status: "reversed" })).toMatchObject({ status: 409 });
  });

  test.each([{ begin: "never" }, { begin: "pending", times: 0 }, {}])("only these: %j is refused", async (setting) => {
    const { control } = await simulator();
    expect(await control("/control/payouts", setting)).toMatchObject({ status: 400 });
  });

  test.each([
    ["/control/payouts/trf_9", { status: "success" }, 404],
    ["/control/payouts/trf_1", { status: "pending" }, 400],
  ])("%s %j is answered with %i", async (path, change, status) => {
    const { call, control } = await simulator();
    await call("POST", "/payouts", payout);
    expect(await control(path, change)).toMatchObject({ status });
  });

  test("payout look-ups fail while payouts succeed", async () => {
    const { call, control } = await simulator();
    await control("/control/behaviour", { operation: "payout-enquiry", behaviour: "fail", times: 1 });
    expect(await call("POST", "/payouts", payout)).toMatchObject({ status: 200 });
    expect(await call("GET", "/payouts/trf_1")).toMatchObject({ status: 503 });
    expect(await call("GET", "/payouts/trf_1")).toMatchObject({ status: 200 });
  });
});

test("a settled and reversed payout survives a restart", async () => {
  const dataDirectory = emptyDirectory();
  const before = await simulator({ dataDirectory });
  await before.call("POST", "/payouts", payout);
  const reversed = await before.control("/control/payouts/trf_1", { status: "reversed" });
  await before.stop();
  const after = await simulator({ dataDirectory });
  expect(await after.call("GET", "/payouts/trf_1")).toEqual(reversed);
});

test("the control API lists how often each payout was sent, newest first", async () => {
  const { call, control } = await simulator();
  await control("/control/behaviour", { operation: "payouts", behaviour: "nonsense", times: 1 });
  await expect(call("POST", "/payouts", payout)).rejects.toThrow(SyntaxError);
  await call("POST", "/payouts", payout);
  await call("POST", "/payouts", { ...payout, id: "trf_2" });
  expect((await call("GET", "/control/payouts")).body.payouts).toMatchObject([
    { id: "trf_2", times_sent: 1 },
    { id: "trf_1", times_sent: 2 },
  ]);
});

test("the PayoutBank port returns what the bank did", async () => {
  const { partner, control } = await simulator();
  const bank = partner();
  const account = { bankCode: "011", accountNumber: "0000014579", accountName: "IBRAHIM LAWAL" };
  const sent = { id: "trf_7", ...account, amount: 100_50n, narration: null };
  expect(await bank.nameOf(sent)).toBe("IBRAHIM LAWAL");
  expect(await bank.enquire(sent)).toBeUndefined();
  expect(await bank.pay(sent)).toEqual({ status: "success", failureCode: null, failureReason: null });
  await control("/control/payouts/trf_7", { status: "reversed", failure_reason: "Returned." });
  expect(await bank.enquire(sent)).toEqual({ status: "reversed", failureCode: "returned", failureReason: "Returned." });
});
