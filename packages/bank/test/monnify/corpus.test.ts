import { inspect } from "node:util";
import { Problem } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import type { MonnifyPartner } from "../../src/monnify/partner.ts";
import type { AccountRequest, BankReport, Payout } from "../../src/port.ts";
import { casesOf, fromJson, inJson } from "../corpus.ts";
import { credentials, type Exchange, replaying } from "./replay.ts";

type Given =
  | { call: "issueAccount"; argument: AccountRequest }
  | { call: "nameOf" | "pay" | "enquire"; argument: Payout };
type Call = Given & {
  source: string;
  exchanges: Exchange[];
  result?: unknown;
  problem?: string;
  detail?: string;
};
type Event = { source: string; notification: object; report?: BankReport | null; fields?: string[] };

/** What must not be in any log: who the customer is, and what proves us. */
const SECRETS = [
  /222123|333123/,
  /Ade Stores|Okafor|Marvelous|Damilare/i,
  /token-\d/,
  new RegExp(credentials.secretKey),
];

const CALLS = ["issuing", "tokens", "name-enquiries", "payouts", "payout-enquiries"];

describe.each(CALLS)("Monnify's %s", (file) => {
  test.each(casesOf<Call>("monnify", file))("%s", async (_name, recorded) => {
    const { monnify, left, unexpected } = await replaying(recorded.exchanges);
    const outcome = await attempt(call(monnify, recorded));
    expect(unexpected).toEqual([]);
    expect(left).toEqual([]);
    if (!recorded.problem) return expect(inJson(outcome)).toEqual(recorded.result ?? null);
    expect(outcome).toMatchObject({ code: recorded.problem, ...(recorded.detail && { detail: recorded.detail }) });
    const logged = inspect(outcome, { depth: null, showHidden: true });
    for (const secret of SECRETS) expect(logged).not.toMatch(secret);
  });
});

describe("Monnify's events", () => {
  test.each(casesOf<Event>("monnify", "events"))("%s", async (_name, { notification, report, fields }) => {
    const { monnify } = await replaying([]);
    const bytes = Buffer.from(JSON.stringify(notification));
    const outcome = await attempt((async () => monnify.notifications.parse(bytes))());
    if (!fields) return expect(inJson(outcome)).toEqual(report ?? null);
    expect(outcome).toMatchObject({ code: "validation_failed", errors: fields.map((param) => ({ param })) });
  });
});

function call({ issuer, payouts }: MonnifyPartner, given: Given): Promise<unknown> {
  if (given.call === "issueAccount") return issuer.issueAccount(given.argument);
  if (!payouts) throw new Error("Monnify pays out in all cases of the corpus");
  return payouts[given.call](fromJson(given.argument));
}

/** The value, or the Problem. */
const attempt = (promise: Promise<unknown>) =>
  promise.catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
