import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { bank, isSigned, json, partner, problem } from "./partner.ts";

const payout = {
  id: "trf_1",
  bankCode: "011",
  accountNumber: "0000014579",
  accountName: "NGOZI EZE",
  amount: 250_073n,
  narration: "rent",
};
const order = {
  id: "trf_1",
  bank_code: "011",
  account_number: "0000014579",
  amount: 2500.73,
  narration: "rent",
};
const success = { ...order, status: "success", failure_code: null, failure_reason: null };
const named = { bank_code: "011", account_number: "0000014579", account_name: "NGOZI EZE" };
const missing = json(404, { code: "not_found", title: "Not found" });

/** A bank with these responses that records the requests it receives. */
async function recordingPartner(answer: RequestListener) {
  const received: { request: IncomingMessage; body: string }[] = [];
  const server = await partner(async (request, response) => {
    received.push({ request, body: await text(request) });
    answer(request, response);
  });
  return { ...server, received };
}

describe("a payout", () => {
  test("is sent once, under our id, with a signature over the bytes sent", async () => {
    const { payouts, received } = await recordingPartner(json(200, success));
    expect(await payouts.pay(payout)).toEqual({ status: "success", failureCode: null, failureReason: null });
    expect(received).toHaveLength(1);
    const [{ request, body } = { request: undefined, body: "" }] = received;
    expect([request?.method, request?.url]).toEqual(["POST", "/v2/payouts"]);
    expect(JSON.parse(body)).toEqual(order);
    expect(isSigned(request, body, bank.secret)).toBe(true);
  });

  test("omits an empty narration", async () => {
    const { payouts, received } = await recordingPartner(json(200, success));
    await payouts.pay({ ...payout, narration: null });
    expect(JSON.parse(received[0]?.body ?? "")).not.toHaveProperty("narration");
  });

  test.each(["pending", "success", "failed", "reversed"])("may be %s, with the bank's reason", async (status) => {
    const { payouts } = await partner(json(200, { ...success, status, failure_code: "x", failure_reason: "y" }));
    expect(await payouts.pay(payout)).toEqual({ status, failureCode: "x", failureReason: "y" });
    expect(await payouts.enquire(payout)).toEqual({ status, failureCode: "x", failureReason: "y" });
  });

  test("has reasons that can be stored and displayed, whatever the bank returns", async () => {
    const reason = `a\u0000b\ud800${"x".repeat(500)}`;
    const { payouts } = await partner(json(200, { ...success, failure_code: "", failure_reason: reason }));
    const { failureCode, failureReason } = await payouts.pay(payout);
    expect(failureCode).toBeNull();
    expect(failureReason).toMatch(/^a b x{100,}$/);
    expect(failureReason?.length).toBeLessThanOrEqual(200);
  });

  test("is looked up by its id, with a signature over an empty body", async () => {
    const { payouts, received } = await recordingPartner(json(200, success));
    expect(await payouts.enquire({ ...payout, id: "trf_1" })).toMatchObject({ status: "success" });
    const [{ request, body } = { request: undefined, body: "" }] = received;
    expect([request?.method, request?.url, body]).toEqual(["GET", "/v2/payouts/trf_1", ""]);
    expect(isSigned(request, "", bank.secret)).toBe(true);
  });

  test("that the bank does not know is undefined when it is looked up, and an error when it is sent", async () => {
    const { payouts } = await partner(missing);
    expect(await payouts.enquire(payout)).toBeUndefined();
    expect((await problem(payouts.pay(payout))).code).toBe("provider_error");
  });
});

describe("an account's holder", () => {
  test("is looked up at the partner bank, for accounts of any bank", async () => {
    const { payouts, received } = await recordingPartner(json(200, named));
    expect(await payouts.nameOf(payout)).toBe("NGOZI EZE");
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({ bank_code: "011", account_number: "0000014579" });
  });

  test("is undefined if the account does not exist", async () => {
    const { payouts } = await partner(missing);
    expect(await payouts.nameOf(payout)).toBeUndefined();
  });
});

describe("a response is rejected", () => {
  test.each<[string, RequestListener]>([
    ["about another payout", json(200, { ...success, id: "trf_2" })],
    ["about another amount", json(200, { ...success, amount: 2500.74 })],
    ["with an amount as a string", json(200, { ...success, amount: "2500.73" })],
    ["about another account", json(200, { ...success, account_number: "0000000220" })],
    ["about another bank", json(200, { ...success, bank_code: "058" })],
    ["with an unknown status", json(200, { ...success, status: "settled" })],
    ["that is not JSON", (_request, response) => void response.end("<html>Service temporarily {unavail")],
    ["with 500", json(500, success)],
    ["with 409", json(409, { code: "conflict" })],
    ["with a proxy's 404", (_request, response) => void response.writeHead(404).end("<h1>Not Found</h1>")],
    ["with a 404 with another code", json(404, { code: "no_route" })],
  ])("%s: the payout counts as neither paid nor unpaid", async (_case, answer) => {
    const { payouts } = await partner(answer);
    expect((await problem(payouts.pay(payout))).code).toBe("provider_error");
    expect((await problem(payouts.enquire(payout))).code).toBe("provider_error");
  });

  test.each<[string, RequestListener]>([
    ["about another account", json(200, { ...named, account_number: "0000000220" })],
    ["about another bank", json(200, { ...named, bank_code: "058" })],
    ["with an empty name", json(200, { ...named, account_name: " " })],
    ["with a proxy's 404", (_request, response) => void response.writeHead(404).end("<h1>Not Found</h1>")],
  ])("%s: no name is returned", async (_case, answer) => {
    const { payouts } = await partner(answer);
    expect((await problem(payouts.nameOf(payout))).code).toBe("provider_error");
  });

  test("that never arrives: each call gives provider_timeout", async () => {
    const { payouts } = await partner(() => {}, 50);
    expect((await problem(payouts.pay(payout))).code).toBe("provider_timeout");
    expect((await problem(payouts.enquire(payout))).code).toBe("provider_timeout");
    expect((await problem(payouts.nameOf(payout))).code).toBe("provider_timeout");
  });
});

describe("the configured credentials are checked", () => {
  test("by a call that moves nothing: the bank that answers it accepts the signature", async () => {
    const { local, received } = await recordingPartner(missing);
    expect(await local.check()).toMatchObject([{ name: "signature", isOk: true }]);
    const [{ request, body } = { request: undefined, body: "" }] = received;
    expect([request?.method, body]).toEqual(["GET", ""]);
    expect(isSigned(request, "", bank.secret)).toBe(true);
  });

  test.each<[string, RequestListener]>([
    ["refuses the signature", json(401, { code: "invalid_signature" })],
    ["is not there", (_request, response) => void response.writeHead(404).end("<h1>Not Found</h1>")],
  ])("and found wrong at a bank that %s", async (_case, answer) => {
    const { local } = await partner(answer);
    const [check] = await local.check();
    expect(check).toMatchObject({ name: "signature", isOk: false });
    expect(check?.detail).not.toContain(bank.secret);
  });
});
