import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { type LocalPartner, type NotificationOutcome, verifyCall } from "../../src/index.ts";
import { createLocalNotifications } from "../../src/local/notifications.ts";
import type { AccountRequest, BankReport, Payout } from "../../src/port.ts";
import { casesOf, fromJson, inJson } from "../corpus.ts";
import { bank, DOOR_SECRET, isSigned, partner } from "./partner.ts";

type Given =
  | { call: "issueAccount"; argument: AccountRequest }
  | { call: "nameOf" | "pay" | "enquire"; argument: Payout };
type Call = Given & {
  request: { method: string; path: string; body?: object };
  response: { status: number; body: object | string };
  result?: unknown;
  problem?: string;
};
type Report = {
  signature: string;
  body: string;
  /** False: refused for its signature, and not parsed. */
  authentic?: false;
  report?: object & Pick<BankReport, "id">;
  /** What the door made of it, and what it then answers. */
  outcome?: NotificationOutcome;
  answer?: object;
  fields?: string[];
  problem?: string;
};
type Signature = {
  now: string;
  call: { method: string; target: string; body: string };
  headers: Record<string, string>;
  accepted: boolean;
};

/** What must not be in any log: who the customer is, and what proves us. */
const SECRETS = [/Ade Stores|Okafor|Ngozi|November rent/i, new RegExp(bank.secret)];

describe.each(["issuing", "name-enquiries", "payouts", "payout-enquiries"])("our protocol's %s", (file) => {
  test.each(casesOf<Call>("local", file))("%s", async (_name, { request, response, problem, result, ...given }) => {
    const received: unknown[] = [];
    const { local } = await partner(async (message, answer) => {
      const bytes = await text(message);
      const body = bytes ? { body: JSON.parse(bytes) } : {};
      const isOurs = isSigned(message, bytes, bank.secret);
      received.push({ method: message.method, path: message.url, ...body, isSigned: isOurs });
      answer.writeHead(response.status).end(asText(response.body));
    });
    const outcome = await attempt(() => call(local, given));
    expect(received).toEqual([{ ...request, isSigned: true }]);
    if (!problem) return expect(inJson(outcome)).toEqual(result ?? null);
    expect(outcome).toMatchObject({ code: problem });
    const logged = inspect(outcome, { depth: null, showHidden: true });
    for (const secret of SECRETS) expect(logged).not.toMatch(secret);
  });
});

describe("our protocol's reports", () => {
  const door = createLocalNotifications([DOOR_SECRET]);
  test.each(casesOf<Report>("local", "reports"))("%s", async (_name, recorded) => {
    const body = Buffer.from(recorded.body);
    const isAuthentic = door.authenticate({ headers: { "x-bank-signature": recorded.signature }, body });
    expect(isAuthentic).toBe(recorded.authentic ?? true);
    if (!isAuthentic) return;
    const parsed = await attempt(async () => door.parse(body));
    if (parsed instanceof Problem) {
      expect(parsed.code).toBe(recorded.problem ?? "validation_failed");
      expect(parsed.errors?.map(({ param }) => param)).toEqual(recorded.fields);
      return;
    }
    expect(inJson(parsed)).toEqual(recorded.report);
    expect(door.answer(recorded.outcome ?? "failed", parsed as BankReport)).toEqual(recorded.answer);
  });
});

describe("our protocol's signatures of calls", () => {
  test.each(casesOf<Signature>("local", "signatures"))("%s", (_name, { now, call, headers, accepted }) => {
    const nonce = verifyCall(call, headers, [bank.secret], new Date(now));
    expect(nonce).toBe(accepted ? headers["x-bank-nonce"] : undefined);
  });
});

const call = ({ issuer, payouts }: LocalPartner, given: Given): Promise<unknown> =>
  given.call === "issueAccount" ? issuer.issueAccount(given.argument) : payouts[given.call](fromJson(given.argument));

const asText = (body: object | string) => (typeof body === "string" ? body : JSON.stringify(body));

/** The value, or the Problem. */
const attempt = (work: () => Promise<unknown>) =>
  work().catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
