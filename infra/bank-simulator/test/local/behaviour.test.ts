import { describe, expect, test } from "vitest";
import { HANGING_MS, simulator } from "../simulator.ts";

const chidi = { requestId: "req_1", accountName: "Chidi Okafor" };

describe("the bank can be configured to", () => {
  test("fail for the next calls only", async () => {
    const { partner, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "fail", times: 2 });
    await expect(partner().issueAccount(chidi)).rejects.toMatchObject({ code: "provider_error" });
    await expect(partner().issueAccount(chidi)).rejects.toMatchObject({ code: "provider_error" });
    expect(await partner().issueAccount(chidi)).toMatchObject({ accountName: "Chidi Okafor" });
  });

  test("fail without executing the call", async () => {
    const { call, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "fail", times: 1 });
    expect(await call("POST", "/accounts", { request_id: "r", account_name: "A" })).toMatchObject({ status: 503 });
    expect(await call("POST", "/accounts", { request_id: "r", account_name: "B" })).toMatchObject({ status: 200 });
  });

  test("time out after executing the call", async () => {
    const { partner, call, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "timeout", times: 1 });
    await expect(partner(HANGING_MS).issueAccount(chidi)).rejects.toMatchObject({ code: "provider_timeout" });
    expect(await call("POST", "/accounts", { request_id: chidi.requestId, account_name: "Another" })).toMatchObject({
      status: 409,
    });
    expect(await partner().issueAccount(chidi)).toMatchObject({ accountName: "Chidi Okafor" });
  });

  test("return an invalid response", async () => {
    const { partner, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "nonsense", times: 1 });
    await expect(partner().issueAccount(chidi)).rejects.toMatchObject({ code: "provider_error" });
    expect(await partner().issueAccount(chidi)).toMatchObject({ accountName: "Chidi Okafor" });
  });

  test("be slow: too slow for a short timeout, fast enough for a long one", async () => {
    const { partner, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "slow", delay_ms: 400 });
    await expect(partner(50).issueAccount(chidi)).rejects.toMatchObject({ code: "provider_timeout" });
    expect(await partner().issueAccount(chidi)).toMatchObject({ accountName: "Chidi Okafor" });
  });

  test("keep its behaviour until it is changed, for one operation only", async () => {
    const { call, control } = await simulator();
    await control("/control/behaviour", { operation: "name-enquiry", behaviour: "fail" });
    const enquiry = () => call("POST", "/name-enquiry", { bank_code: "011", account_number: "0000014579" });
    expect([(await enquiry()).status, (await enquiry()).status]).toEqual([503, 503]);
    expect((await call("POST", "/accounts", { request_id: "r", account_name: "A" })).status).toBe(200);
    await control("/control/behaviour", { operation: "name-enquiry", behaviour: "normal" });
    expect((await enquiry()).status).toBe(200);
  });

  test("apply its behaviour to signed calls only: an unsigned call does not use it up", async () => {
    const { call, control } = await simulator();
    await control("/control/behaviour", { operation: "accounts", behaviour: "fail", times: 1 });
    const body = { request_id: "r", account_name: "A" };
    expect((await call("POST", "/accounts", body, { "x-bank-signature": "" })).status).toBe(401);
    expect((await call("POST", "/accounts", body)).status).toBe(503);
  });

  test.each([
    { operation: "accounts", behaviour: "dance" },
    { operation: "loans", behaviour: "fail" },
    { operation: "accounts", behaviour: "fail", times: 0 },
  ])("do only these: %j is refused", async (setting) => {
    const { control } = await simulator();
    expect(await control("/control/behaviour", setting)).toMatchObject({
      status: 400,
      body: { code: "validation_failed" },
    });
  });
});
