import { text } from "node:stream/consumers";
import { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import type { Payout } from "../../src/index.ts";
import { inJson } from "../corpus.ts";
import { providusAt, signature } from "./bank.ts";
import { type Exchange, exchanges, notifications } from "./corpus.ts";

test.each(exchanges)("$name: $about", async ({ call, arguments: given, request, response, outcome }) => {
  const received: unknown[] = [];
  const providus = await providusAt(async (message, answer) => {
    const body = await text(message);
    const { method, url: path, headers } = message;
    received.push({ method, path, ...(body && { body: JSON.parse(body) }) });
    const isSigned = headers["x-auth-signature"] === signature && headers["client-id"] === "collect";
    if (path?.startsWith("/api/") && !isSigned) return void answer.writeHead(401).end();
    answer.writeHead(response.status).end(response.body);
  });
  const result = await resultOf(() => calls[call](providus, given));
  expect(received).toEqual([request]);
  if ("problem" in outcome) {
    expect(result).toBeInstanceOf(Problem);
    const { code, detail } = result as Problem;
    expect(code).toBe(outcome.problem);
    // The answer of a bank is for the log: it may contain a stack, a name or a number.
    expect(detail).toMatch(/^The partner bank (did not|could not) [a-z ']+\.( [A-Z][a-z ]+\.)?$/);
  } else expect(inJson(result)).toEqual(outcome.value);
});

test.each(notifications)("$name: $about", async ({ notification, report }) => {
  const { notifications: door } = await providusAt(() => {});
  const body = Buffer.from(notification.body);
  const given = notification.signature === "capitals" ? signature.toUpperCase() : signature;
  expect(door.authenticate({ headers: { "x-auth-signature": given }, body })).toBe(true);
  expect(inJson(door.parse(body))).toEqual(report);
});

test("the corpus has every call, and both ends of each", () => {
  const seen = (has: (outcome: Exchange["outcome"]) => boolean) =>
    [...new Set(exchanges.filter(({ outcome }) => has(outcome)).map(({ call }) => call))].sort();
  expect(seen((outcome) => "value" in outcome)).toEqual(Object.keys(calls).sort());
  expect(seen((outcome) => "problem" in outcome)).toEqual(Object.keys(calls).sort());
  expect(notifications.length).toBeGreaterThan(3);
});

type Providus = Awaited<ReturnType<typeof providusAt>>;
type Given = Exchange["arguments"];

const calls: Record<Exchange["call"], (providus: Providus, given: Given) => Promise<unknown>> = {
  openAccount: ({ issuer }, { accountName }) => issuer.openAccount({ accountName: accountName ?? "" }),
  renameAccount: ({ issuer }, { accountNumber, accountName }) =>
    issuer.renameAccount({ accountNumber: accountNumber ?? "", accountName: accountName ?? "" }),
  confirm: async ({ notifications: door }, { id }) => {
    const hint = door.parse(Buffer.from(JSON.stringify({ settlementId: id })));
    return hint && door.confirm?.(hint);
  },
  nameOf: async ({ payouts }, given) => payouts?.nameOf(payoutOf(given)),
  pay: async ({ payouts }, given) => payouts?.pay(payoutOf(given)),
  enquire: async ({ payouts }, given) => payouts?.enquire(payoutOf(given)),
};

const payoutOf = (given: Given): Payout => ({
  id: given.id ?? "",
  bankCode: given.bankCode ?? "",
  accountNumber: given.accountNumber ?? "",
  accountName: given.accountName ?? "",
  amount: BigInt(given.amount ?? "0"),
  narration: given.narration ?? null,
});

const resultOf = (attempt: () => Promise<unknown>) =>
  attempt().then(
    (value) => value,
    (error: unknown) => error,
  );
