import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { verifySignature } from "../src/index.ts";
import { bank, json, partner, problem } from "./partner.ts";

const payout = {
  id: "trf_1",
  bankCode: "011",
  accountNumber: "0000014579",
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

/** A bank that answers so and keeps what it was asked. */
async function listener(answer: RequestListener) {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const opened = await partner(async (request, response) => {
    seen.push({ request, body: await text(request) });
    answer(request, response);
  });
  return { ...opened, seen };
}

describe("a payout", () => {
  test("is sent once, under our id, with a signature over the bytes sent", async () => {
    const { bank: harbour, seen } = await listener(json(200, success));
    expect(await harbour.pay(payout)).toEqual({ status: "success", failureCode: null, failureReason: null });
    expect(seen).toHaveLength(1);
    const [{ request, body } = { request: undefined, body: "" }] = seen;
    expect([request?.method, request?.url]).toEqual(["POST", "/v2/payouts"]);
    expect(JSON.parse(body)).toEqual(order);
    expect(verifySignature(body, request?.headers["x-bank-signature"], bank.secret)).toBe(true);
  });

  test("goes without a narration where there is none", async () => {
    const { bank: harbour, seen } = await listener(json(200, success));
    await harbour.pay({ ...payout, narration: null });
    expect(JSON.parse(seen[0]?.body ?? "")).not.toHaveProperty("narration");
  });

  test.each(["pending", "success", "failed", "reversed"])("may be %s, with the bank's reason", async (status) => {
    const { bank: harbour } = await partner(json(200, { ...success, status, failure_code: "x", failure_reason: "y" }));
    expect(await harbour.pay(payout)).toEqual({ status, failureCode: "x", failureReason: "y" });
    expect(await harbour.enquire(payout)).toEqual({ status, failureCode: "x", failureReason: "y" });
  });

  test("has reasons that can be stored and shown, whatever the bank writes", async () => {
    const reason = `a\u0000b\ud800${"x".repeat(500)}`;
    const { bank: harbour } = await partner(json(200, { ...success, failure_code: "", failure_reason: reason }));
    const { failureCode, failureReason } = await harbour.pay(payout);
    expect(failureCode).toBeNull();
    expect(failureReason).toMatch(/^a b x{100,}$/);
    expect(failureReason?.length).toBeLessThanOrEqual(200);
  });

  test("is enquired about by its id, with a signature over no bytes", async () => {
    const { bank: harbour, seen } = await listener(json(200, success));
    expect(await harbour.enquire({ ...payout, id: "trf_1" })).toMatchObject({ status: "success" });
    const [{ request, body } = { request: undefined, body: "" }] = seen;
    expect([request?.method, request?.url, body]).toEqual(["GET", "/v2/payouts/trf_1", ""]);
    expect(verifySignature("", request?.headers["x-bank-signature"], bank.secret)).toBe(true);
  });

  test("that the bank has never heard of is undefined when it is asked about, and an error when it is sent", async () => {
    const { bank: harbour } = await partner(missing);
    expect(await harbour.enquire(payout)).toBeUndefined();
    expect((await problem(harbour.pay(payout))).code).toBe("provider_error");
  });
});

describe("an account's holder", () => {
  test("is asked of the bank, for accounts of any bank", async () => {
    const { bank: harbour, seen } = await listener(json(200, named));
    expect(await harbour.nameOf(payout)).toBe("NGOZI EZE");
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ bank_code: "011", account_number: "0000014579" });
  });

  test("is undefined where there is no account", async () => {
    const { bank: harbour } = await partner(missing);
    expect(await harbour.nameOf(payout)).toBeUndefined();
  });
});

describe("an answer is not believed", () => {
  test.each<[string, RequestListener]>([
    ["about another payout", json(200, { ...success, id: "trf_2" })],
    ["about another amount", json(200, { ...success, amount: 2500.74 })],
    ["of an amount in quotes", json(200, { ...success, amount: "2500.73" })],
    ["about another account", json(200, { ...success, account_number: "0000000220" })],
    ["about another bank", json(200, { ...success, bank_code: "058" })],
    ["with a state that we do not know", json(200, { ...success, status: "settled" })],
    ["that is no JSON", (_request, response) => void response.end("<html>Service temporarily {unavail")],
    ["with 500", json(500, success)],
    ["with 409", json(409, { code: "conflict" })],
    ["with a proxy's 404", (_request, response) => void response.writeHead(404).end("<h1>Not Found</h1>")],
    ["with a 404 of something else", json(404, { code: "no_route" })],
  ])("%s: neither that it was paid nor that it was not", async (_case, answer) => {
    const { bank: harbour } = await partner(answer);
    expect((await problem(harbour.pay(payout))).code).toBe("provider_error");
    expect((await problem(harbour.enquire(payout))).code).toBe("provider_error");
  });

  test.each<[string, RequestListener]>([
    ["about another account", json(200, { ...named, account_number: "0000000220" })],
    ["about another bank", json(200, { ...named, bank_code: "058" })],
    ["with an empty name", json(200, { ...named, account_name: " " })],
    ["with a proxy's 404", (_request, response) => void response.writeHead(404).end("<h1>Not Found</h1>")],
  ])("%s: nobody is named", async (_case, answer) => {
    const { bank: harbour } = await partner(answer);
    expect((await problem(harbour.nameOf(payout))).code).toBe("provider_error");
  });

  test("that never comes: each call gives provider_timeout", async () => {
    const { bank: harbour } = await partner(() => {}, 50);
    expect((await problem(harbour.pay(payout))).code).toBe("provider_timeout");
    expect((await problem(harbour.enquire(payout))).code).toBe("provider_timeout");
    expect((await problem(harbour.nameOf(payout))).code).toBe("provider_timeout");
  });
});
