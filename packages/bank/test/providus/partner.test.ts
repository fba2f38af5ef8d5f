import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { BANKS, createProvidus, type NotificationOutcome, NotOpened, nipCodeOf } from "../../src/index.ts";
import { access, credentials, providusAt, signature } from "./bank.ts";

const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const payout = {
  id: "trf_1",
  bankCode: "058",
  accountNumber: "0045434120",
  accountName: "Ngozi Eze",
  amount: 200_045n,
  narration: "rent",
};
const problemOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error : undefined),
  );

describe("a notification from Providus", () => {
  test.each<[string, IncomingMessage["headers"]]>([
    ["no signature", {}],
    ["an empty signature", { "x-auth-signature": "" }],
    ["another signature", { "x-auth-signature": "0".repeat(signature.length) }],
    ["a shorter signature", { "x-auth-signature": signature.slice(1) }],
    ["the client id alone", { "client-id": credentials.clientId }],
  ])("with %s is not authentic", async (_case, headers) => {
    const { notifications } = await providusAt(() => {});
    expect(notifications.authenticate({ headers, body: Buffer.from("{}") })).toBe(false);
  });

  test("is authentic with the former secret too, which signs no call of ours", async () => {
    const former = createHash("sha512").update("collect:former-secret").digest("hex");
    const { notifications } = await providusAt(() => {});
    expect(notifications.authenticate({ headers: { "x-auth-signature": former }, body: Buffer.from("{}") })).toBe(true);
  });

  test.each([
    ["is not JSON", "{", "malformed_body"],
    ["is no object", "[]", "validation_failed"],
    ["names no transfer", '{"sessionId":"1"}', "validation_failed"],
    ["has an empty settlement id", '{"settlementId":" "}', "validation_failed"],
    ["has a settlement id of many lines", '{"settlementId":"1\\n2"}', "validation_failed"],
    ["has a huge settlement id", `{"settlementId":"${"1".repeat(101)}"}`, "validation_failed"],
  ])("that %s is refused", async (_case, body, code) => {
    const { notifications } = await providusAt(() => {});
    const refused = await problemOf((async () => notifications.parse(Buffer.from(body)))());
    expect(refused?.code).toBe(code);
  });

  test("gets an answer in the bank's words, with its session id", async () => {
    const { notifications } = await providusAt(() => {});
    const report = notifications.parse(Buffer.from('{"settlementId":"S1","sessionId":"0000042103"}'));
    const codes: Record<NotificationOutcome, string> = {
      ...{ accepted: "00", quarantined: "00", unallocated: "00" },
      // Not 02, which would keep a customer's money out of our account for a fault of ours.
      ...{ duplicate: "01", rejected: "03", failed: "03" },
    };
    for (const [outcome, responseCode] of Object.entries(codes)) {
      const answer = notifications.answer(outcome as NotificationOutcome, report);
      expect(answer).toMatchObject({
        status: 200,
        body: { requestSuccessful: true, sessionId: "0000042103", responseCode },
      });
    }
    expect(notifications.answer("rejected")).toEqual({
      status: 200,
      body: {
        ...{ requestSuccessful: true, sessionId: "" },
        ...{ responseMessage: "system failure, retry", responseCode: "03" },
      },
    });
  });

  test("is confirmed by an id that cannot leave the query", async () => {
    const paths: (string | undefined)[] = [];
    const { notifications } = await providusAt(({ url }, response) => {
      paths.push(url);
      response.end('{"transactionAmount":0,"tranRemarks":"Transaction not found!!!"}');
    });
    const report = notifications.parse(Buffer.from('{"settlementId":"2022/10|30"}'));
    expect(report && (await notifications.confirm?.(report))).toBeUndefined();
    expect(paths).toEqual(["/api/PiPverifyTransaction_settlementid?settlement_id=2022%2F10%7C30"]);
  });
});

test.each(["openAccount", "renameAccount", "confirm", "nameOf", "pay", "enquire"] as const)(
  "%s: a bank that never answers gives provider_timeout, and one that refuses connections provider_error",
  async (call) => {
    const dead = (_request: IncomingMessage, response: ServerResponse) => void response.destroy();
    const outcomes = [providusAt(() => {}, 50), providusAt(dead)].map(async (starting) => {
      const { issuer, notifications, payouts } = await starting;
      const report = notifications.parse(Buffer.from('{"settlementId":"S1"}'));
      const attempts = {
        openAccount: () => issuer.openAccount({ accountName: "Ngozi Eze" }),
        renameAccount: () => issuer.renameAccount({ accountNumber: "9977577067", accountName: "Ngozi Eze" }),
        confirm: async () => report && notifications.confirm?.(report),
        nameOf: async () => payouts?.nameOf(payout),
        pay: async () => payouts?.pay(payout),
        enquire: async () => payouts?.enquire(payout),
      };
      const problem = await problemOf(attempts[call]());
      const log = inspect(problem, { depth: null, showHidden: true });
      for (const secret of [credentials.clientSecret, signature, access.password, "Ngozi"])
        expect(log).not.toContain(secret);
      return problem?.code;
    });
    expect(await Promise.all(outcomes)).toEqual(["provider_timeout", "provider_error"]);
  },
);

describe("an opening", () => {
  const refusal = { requestSuccessful: false, responseMessage: "Limit of Ngozi Eze", responseCode: "11" };
  const open = ({ issuer }: Awaited<ReturnType<typeof providusAt>>) =>
    problemOf(issuer.openAccount({ accountName: "Ngozi Eze" }));

  test.each([
    ["refuses with a code", "the bank refused with code 11", json(refusal)],
    [
      "refuses with an empty account",
      "the bank refused with code 05",
      json({ ...refusal, account_number: "", responseCode: "05" }),
    ],
  ])("is known to have opened nothing if the bank %s", async (_case, reason, answer) => {
    const problem = await open(await providusAt(answer));
    expect(problem).toBeInstanceOf(NotOpened);
    expect(problem).toMatchObject({ code: "provider_error", reason });
    expect(inspect(problem, { depth: null })).not.toContain("Ngozi");
  });

  test("is known to have opened nothing if nothing of it was sent", async () => {
    const nowhere = createProvidus({ url: "http://127.0.0.1:1", ...credentials, timeoutMs: 5_000 });
    expect(await open(nowhere)).toMatchObject({ reason: "the bank could not be reached" });
  });

  test.each([
    ["times out behind the bank", json({ ...refusal, responseCode: "68" })],
    ["is a duplicate", json({ ...refusal, responseCode: "94" })],
    ["has no code", json({ requestSuccessful: false })],
    ["names an account all the same", json({ ...refusal, account_number: "9977577067" })],
    ["is said to have succeeded, without an account", json({ requestSuccessful: true, responseCode: "00" })],
    ["fails with the bank's program", json(refusal, 500)],
    ["is cut off", (_request: IncomingMessage, response: ServerResponse) => void response.destroy()],
  ])("may have opened an account if it %s", async (_case, answer) => {
    const problem = await open(await providusAt(answer));
    expect(problem).toMatchObject({ code: "provider_error" });
    expect(problem).not.toBeInstanceOf(NotOpened);
  });
});

test("a payout to a bank that is not on NIP fails without being sent, and its accounts have no holder", async () => {
  const requests: unknown[] = [];
  const { payouts } = await providusAt(({ url }, response) => {
    requests.push(url);
    response.end();
  });
  const elsewhere = { ...payout, bankCode: "999" };
  expect(await payouts?.nameOf(elsewhere)).toBeUndefined();
  expect(await payouts?.pay(elsewhere)).toMatchObject({ status: "failed", failureCode: "16" });
  expect(requests).toEqual([]);
});

describe("the configured credentials are checked", () => {
  const banks = BANKS.map(({ code, name }) => ({ bankCode: nipCodeOf(code), bankName: name }));
  const answers: Record<string, object> = {
    "/api/PiPverifyTransaction_settlementid": { transactionAmount: 0, tranRemarks: "Transaction not found!!!" },
    "/postingrest/GetProvidusAccount": { accountNumber: "1700313889", accountName: "Collect", responseCode: "00" },
    "/postingrest/GetNIPBanks": { banks, responseMessage: "SUCCESS", responseCode: "00" },
  };
  const answering =
    (changed: Record<string, object>): RequestListener =>
    (request, response) => {
      const path = request.url?.split("?")[0] ?? "";
      json({ ...answers, ...changed }[path])(request, response);
    };

  test("by calls that move nothing and open nothing", async () => {
    const requests: string[] = [];
    const providus = await providusAt(async (request, response) => {
      requests.push(`${request.method} ${request.url?.split("?")[0]} ${(await text(request)) && "with credentials"}`);
      answering({})(request, response);
    });
    expect((await providus.check()).map(({ name, isOk }) => ({ name, isOk }))).toEqual([
      { name: "collections", isOk: true },
      { name: "payouts", isOk: true },
      { name: "payouts to other banks", isOk: true },
    ]);
    expect(requests.toSorted()).toEqual([
      "GET /api/PiPverifyTransaction_settlementid ",
      "GET /postingrest/GetNIPBanks ",
      "POST /postingrest/GetProvidusAccount with credentials",
    ]);
  });

  const refused = { requestSuccessful: false, responseMessage: "Authentication Failed", responseCode: "05" };
  test.each([
    ["collections", { "/api/PiPverifyTransaction_settlementid": refused }],
    [
      "payouts",
      { "/postingrest/GetProvidusAccount": { responseCode: "8004", responseMessage: "Authentication Failed" } },
    ],
    [
      "payouts",
      { "/postingrest/GetProvidusAccount": { ...answers["/postingrest/GetProvidusAccount"], accountNumber: "1" } },
    ],
    ["payouts to other banks", { "/postingrest/GetNIPBanks": { banks: banks.slice(1), responseCode: "00" } }],
    ["payouts to other banks", { "/postingrest/GetNIPBanks": { banks: [], responseCode: "00" } }],
  ])("and only %s is found wrong", async (name, changed) => {
    const providus = await providusAt(answering(changed));
    const wrong = (await providus.check()).filter(({ isOk }) => !isOk);
    expect(wrong.map((check) => check.name)).toEqual([name]);
    expect(wrong[0]?.detail).not.toMatch(/providus-secret|payout-password|Authentication Failed/);
  });

  test("a bank that is no longer listed is named", async () => {
    const providus = await providusAt(
      answering({ "/postingrest/GetNIPBanks": { banks: banks.slice(1), responseCode: "00" } }),
    );
    expect((await providus.check()).at(-1)?.detail).toBe("The bank does not list 9 Payment Service Bank.");
  });
});
