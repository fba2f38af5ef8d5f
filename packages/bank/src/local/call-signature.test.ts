import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CALL_WINDOW_S, signCall, verifyCall } from "./call-signature.ts";

const now = new Date("2026-11-22T15:00:00.500Z");
const call = { method: "POST", target: "/v2/payouts?dry=1", body: '{"id":"trf_1"}' };
const secrets = ["the new secret", "the old secret"] as const;
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

describe("the signature of a call to the bank", () => {
  test("is the lowercase hex HMAC-SHA512 of method, target, time, nonce and body", () => {
    const headers = signCall(call, secrets[0], now);
    expect(headers["x-bank-timestamp"]).toBe("1795359600");
    const signed = `POST\n/v2/payouts?dry=1\n1795359600\n${headers["x-bank-nonce"]}\n{"id":"trf_1"}`;
    expect(headers["x-bank-signature"]).toBe(createHmac("sha512", secrets[0]).update(signed).digest("hex"));
  });

  test("is accepted with either of two secrets, and differs from call to call", () => {
    const [one, other] = [signCall(call, secrets[0], now), signCall(call, secrets[1], now)];
    expect(verifyCall(call, one, secrets, now)).toBe(one["x-bank-nonce"]);
    expect(verifyCall(call, other, secrets, now)).toBe(other["x-bank-nonce"]);
    expect(one["x-bank-nonce"]).not.toBe(signCall(call, secrets[0], now)["x-bank-nonce"]);
  });

  test.each([
    ["another method", { method: "GET" }],
    ["another path with the same body", { target: "/v2/accounts" }],
    ["another query", { target: "/v2/payouts?dry=0" }],
    ["another body", { body: '{"id":"trf_2"}' }],
    ["a body moved into the path", { target: "/v2/payouts?dry=1\n1", body: "" }],
  ])("is refused for %s", (_case, change) => {
    const headers = signCall(call, secrets[0], now);
    expect(verifyCall({ ...call, ...change }, headers, secrets, now)).toBeUndefined();
  });

  test.each([
    ["another time", { "x-bank-timestamp": "1795359601" }],
    ["another nonce", { "x-bank-nonce": "0".repeat(32) }],
    ["no time", { "x-bank-timestamp": undefined }],
    ["no nonce", { "x-bank-nonce": undefined }],
    ["no signature", { "x-bank-signature": undefined }],
    ["two signatures", { "x-bank-signature": ["a", "b"] }],
    ["a time that is no number", { "x-bank-timestamp": "now" }],
    [
      "a signature of the body alone",
      { "x-bank-signature": createHmac("sha512", secrets[0]).update(call.body).digest("hex") },
    ],
  ])("is refused with %s", (_case, change) => {
    const headers: Record<string, string | string[] | undefined> = { ...signCall(call, secrets[0], now), ...change };
    expect(verifyCall(call, headers, secrets, now)).toBeUndefined();
  });

  test("is refused with another secret", () => {
    expect(verifyCall(call, signCall(call, "a third secret", now), secrets, now)).toBeUndefined();
  });

  test("is refused outside of the window, before and after", () => {
    const headers = signCall(call, secrets[0], now);
    for (const seconds of [-CALL_WINDOW_S + 1, CALL_WINDOW_S - 1])
      expect(verifyCall(call, headers, secrets, later(seconds))).toBeDefined();
    for (const seconds of [-CALL_WINDOW_S - 1, CALL_WINDOW_S + 1])
      expect(verifyCall(call, headers, secrets, later(seconds))).toBeUndefined();
  });
});
