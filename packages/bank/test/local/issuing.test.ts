import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import type { ProblemCode } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { nuban } from "../../src/index.ts";
import { bank, isSigned, json, partner, problem } from "./partner.ts";

const account = {
  account_number: nuban({ bankCode: bank.code, serial: "000000001" }),
  account_name: "Ade Stores / Chidi Okafor",
  bank_code: bank.code,
};
const call = { requestId: "req_1", accountName: account.account_name };

describe("an account from the partner bank", () => {
  test("is issued by request id, with a signature over the bytes sent", async () => {
    const received: { request: IncomingMessage; body: string }[] = [];
    const { issuer } = await partner(async (request, response) => {
      received.push({ request, body: await text(request) });
      json(200, account)(request, response);
    });
    expect(await issuer.issueAccount(call)).toEqual({
      accountNumber: account.account_number,
      accountName: account.account_name,
      bankCode: bank.code,
      bankName: bank.name,
    });
    const [{ request, body } = { request: undefined, body: "" }] = received;
    expect([request?.method, request?.url, request?.headers["content-type"]]).toEqual([
      "POST",
      "/v2/accounts",
      "application/json",
    ]);
    expect(JSON.parse(body)).toEqual({ request_id: "req_1", account_name: account.account_name });
    expect(isSigned(request, body, bank.secret)).toBe(true);
    expect(isSigned(request, body, "another secret")).toBe(false);
  });

  test("may be returned with 201 and with unknown fields", async () => {
    const { issuer } = await partner(json(201, { ...account, branch: "Ikeja" }));
    expect(await issuer.issueAccount(call)).toEqual({
      accountNumber: account.account_number,
      accountName: account.account_name,
      bankCode: bank.code,
      bankName: bank.name,
    });
  });

  test("is issued by repeating the call after a failure", async () => {
    const responses = [json(500, {}), json(200, account)];
    const { issuer } = await partner((request, response) => responses.shift()?.(request, response));
    expect((await problem(issuer.issueAccount(call))).code).toBe("provider_error");
    expect((await issuer.issueAccount(call)).accountNumber).toBe(account.account_number);
  });

  test("uses a bounded number of connections, whatever the number of concurrent calls", async () => {
    let connections = 0;
    const { server, issuer } = await partner(json(200, account));
    server.on("connection", () => connections++);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => issuer.issueAccount({ ...call, requestId: `req_${index}` })),
    );
    expect(connections).toBeLessThanOrEqual(16);
  });
});

describe("a partner bank that", () => {
  const mistyped = `${account.account_number.slice(0, 9)}${(Number(account.account_number.slice(9)) + 1) % 10}`;

  test.each<[string, ProblemCode, RequestListener]>([
    ["answers 500", "provider_error", json(500, account)],
    ["answers 400", "provider_error", json(400, account)],
    [
      "redirects",
      "provider_error",
      (_request, response) => void response.writeHead(307, { location: "/v2/accounts" }).end(),
    ],
    ["answers with nothing", "provider_error", (_request, response) => void response.end()],
    ["answers with invalid JSON", "provider_error", (_request, response) => void response.end("<html>Service</html>")],
    [
      "answers with truncated JSON",
      "provider_error",
      (_request, response) => void response.end(JSON.stringify(account).slice(0, -1)),
    ],
    ["answers without an account number", "provider_error", json(200, { ...account, account_number: undefined })],
    ["answers with a number as account number", "provider_error", json(200, { ...account, account_number: 7 })],
    ["answers with a wrong check digit", "provider_error", json(200, { ...account, account_number: mistyped })],
    ["answers for another bank", "provider_error", json(200, { ...account, bank_code: "011" })],
    ["answers with another account name", "provider_error", json(200, { ...account, account_name: "Another Name" })],
    ["answers with a huge body", "provider_error", json(200, { ...account, filler: "x".repeat(1_000_000) })],
    ["resets the connection", "provider_error", (request) => void request.socket.resetAndDestroy()],
  ])("%s gives %s", async (_case, code, answer) => {
    const { issuer } = await partner(answer);
    const refused = await problem(issuer.issueAccount(call));
    expect(refused.code).toBe(code);
    expect(refused.cause).toBeInstanceOf(Error);
    expect(refused.detail).toMatch(/safe to repeat/);
    expect(refused.detail).not.toMatch(/127\.0\.0\.1|ECONN|JSON|secret|\d{3}/);
  });

  test("refuses connections gives provider_error", async () => {
    const { server, issuer } = await partner(json(200, account));
    server.close();
    await once(server, "close");
    expect((await problem(issuer.issueAccount(call))).code).toBe("provider_error");
  });

  test("never answers gives provider_timeout", async () => {
    const { issuer } = await partner(() => {}, 50);
    expect((await problem(issuer.issueAccount(call))).code).toBe("provider_timeout");
  });

  test("answers too slowly gives provider_timeout: the deadline is for the whole call", async () => {
    const { issuer } = await partner((_request, response) => {
      response.write("{");
      const drip = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(drip));
    }, 100);
    expect((await problem(issuer.issueAccount(call))).code).toBe("provider_timeout");
  });

  test("has not answered when the caller aborts gives provider_timeout immediately", async () => {
    const caller = new AbortController();
    const { issuer } = await partner(() => caller.abort());
    expect((await problem(issuer.issueAccount({ ...call, signal: caller.signal }))).code).toBe("provider_timeout");
  });
});

describe("the log of a failure contains", () => {
  const logged = async (answer: RequestListener) => {
    const { issuer, payouts } = await partner(answer);
    const { bankCode, accountNumber } = { bankCode: "011", accountNumber: "0000014579" };
    const calls = [issuer.issueAccount(call), payouts.nameOf({ bankCode, accountNumber })];
    const problems = await Promise.all(calls.map(problem));
    return problems.map((thrown) => inspect(thrown, { depth: null, showHidden: true })).join("\n");
  };

  test("neither the requested name nor the returned name", async () => {
    const log = await logged(json(200, { ...account, account_name: "Another Name" }));
    expect(log).toContain("is another name");
    expect(log).not.toMatch(/Ade|Okafor|Another/);
  });

  test.each([200, 404, 500])("nothing of a body that is not JSON, with status %s", async (status) => {
    const log = await logged((_request, response) => void response.writeHead(status).end("Ngozi Eze, 0000014579"));
    expect(log).toContain("the partner bank answered");
    expect(log).not.toMatch(/Ngozi|0000014579/);
  });
});
