import { type ApiContract, readApiContract, until } from "@collect/testing";
import fc from "fast-check";
import { client } from "../stack/client.ts";
import type { Stack, TestMerchant } from "../stack.ts";
import { type Call, calls } from "./calls.ts";
import { type Known, remember } from "./known.ts";
import { rowReader } from "./rows.ts";
import { lineOf, type Sent, send } from "./send.ts";

export type FuzzReport = {
  sent: number;
  byStatus: Map<number, number>;
  /** Refused calls after which the merchant's rows in every database were compared with those before. */
  refusalsCompared: number;
  /** Calls as the document describes them, and how many of them succeeded. */
  valid: { sent: number; succeeded: number };
  /** Fields that the document allows and the service refuses, with how often. */
  stricter: Map<string, number>;
  faults: string[];
};

/** Budgets of the hour, far above what a run needs: what they refuse is tested elsewhere. */
const RATE_LIMITS = { accounts: 1_000_000, reads: 1_000_000 };
const FAULTS_MAX = 50;
const DRAWN_AT_ONCE = 100;

type Deps = {
  stack: Stack;
  contract: ApiContract;
  rowsOf: (merchantId: string) => Promise<string>;
  report: FuzzReport;
};
type Lane = { merchant: TestMerchant; known: Known };
type CleanLane = Lane & { rows: string };

/**
 * Sends calls made from the document to the product. The same seed makes the same calls, but for the references that the service
 * has drawn. Valid calls go to a merchant that has everything; invalid ones to one that is replaced as soon as a call succeeds, so
 * that nothing but the call itself could write anything of it.
 */
export async function fuzz(stack: Stack, given: { calls: number; seed: number; workers: number }): Promise<FuzzReport> {
  const report: FuzzReport = {
    ...{ sent: 0, byStatus: new Map(), refusalsCompared: 0, valid: { sent: 0, succeeded: 0 }, stricter: new Map() },
    faults: [],
  };
  const published = await (await fetch(`${stack.baseUrl}/openapi.json`)).json();
  const deps = { stack, contract: readApiContract(published), rowsOf: await rowReader(stack), report };
  const next = drawn(calls(deps.contract), given);
  const lanes: Lane[] = [];
  for (let worker = 0; worker < given.workers; worker++) lanes.push(await aRichMerchant(deps));
  await Promise.all(lanes.map((rich) => work(deps, { rich, next })));
  return report;
}

async function work(deps: Deps, { rich, next }: { rich: Lane; next: () => Call | undefined }): Promise<void> {
  let clean = await aCleanMerchant(deps);
  for (let call = next(); call; call = next()) {
    if (deps.report.faults.length >= FAULTS_MAX) return;
    if (call.isValid) await sendValid(call, rich, deps);
    else if (await sendInvalid(call, clean, deps)) clean = await aCleanMerchant(deps);
  }
}

/** Draws the calls a few at a time: all at once would keep the process from everything else. */
function drawn(arbitrary: fc.Arbitrary<Call>, { calls: total, seed }: { calls: number; seed: number }) {
  let waiting: Call[] = [];
  let count = 0;
  return (): Call | undefined => {
    if (count === total) return undefined;
    if (waiting.length === 0) waiting = fc.sample(arbitrary, { numRuns: DRAWN_AT_ONCE, seed: seed + count });
    count++;
    return waiting.shift();
  };
}

async function sendValid(call: Call, lane: Lane, deps: Deps): Promise<void> {
  const { valid, stricter } = deps.report;
  const answer = await judged(call, lane, deps);
  const { code, errors = [] } = Object(answer.body);
  valid.sent++;
  if (answer.status < 300) valid.succeeded++;
  if (code === "validation_failed")
    for (const { param, message } of errors) count(stricter, `${call.operation.operationId} ${param}: ${message}`);
}

/** Whether the merchant has to be replaced: something may have been written. */
async function sendInvalid(call: Call, lane: CleanLane, deps: Deps): Promise<boolean> {
  const line = lineOf(call, lane.known);
  const { status } = await judged(call, lane, deps);
  if (status < 300) return call.operation.method === "POST";
  const rows = await deps.rowsOf(lane.merchant.id);
  deps.report.refusalsCompared++;
  if (rows === lane.rows) return false;
  const written = rows.split("\n").filter((row) => !lane.rows.split("\n").includes(row));
  deps.report.faults.push(`${line}\n  was refused with ${status}, and wrote ${written.join(", ")}`);
  return true;
}

/** The answer, compared with the document. */
async function judged(call: Call, { merchant, known }: Lane, { stack, contract, report }: Deps): Promise<Sent> {
  const keys = { secret: merchant.keys.sk_test, public: merchant.keys.pk_test };
  const line = lineOf(call, known);
  const answer = await send(call, { baseUrl: stack.baseUrl, keys, known });
  report.sent++;
  count(report.byStatus, answer.status);
  const faults = contract.faultsOf(call.operation, answer);
  if (answer.status === 500) faults.unshift("500");
  if (faults.length > 0)
    report.faults.push(`${line}\n  ${answer.status}: ${faults.join("; ")}: ${answer.text.slice(0, 300)}`);
  if (answer.status < 300) remember(known, answer.body);
  return answer;
}

/** One that has something of everything. */
async function aRichMerchant({ stack }: Deps): Promise<Lane> {
  const merchant = await stack.createMerchant({ rateLimits: RATE_LIMITS });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const known: Known = new Map();
  const post = async (path: string, fields: object) => remember(known, (await api.post(path, fields)).body);
  await post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  await post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount: 250_000 });
  await post("/payments", { amount: 2500, reference: "order-1", customer_reference: "cust_42" });
  await post("/sandbox/pay", { outcome: "paid", amount: 100_000 });
  await post("/sandbox/settle", {});
  await post("/transfers", { amount: 50, bank_code: "000", account_number: "0000000017", reference: "payout-1" });
  for (const path of ["/banks", "/collections", "/settlements", "/events", "/payments"])
    remember(known, (await api.get(path)).body);
  return { merchant, known };
}

/** One that has a customer and a pending payment, and nothing on its way. */
async function aCleanMerchant({ stack, rowsOf }: Deps): Promise<CleanLane> {
  const merchant = await stack.createMerchant({ webhook: null, verified: false, rateLimits: RATE_LIMITS });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const known: Known = new Map();
  remember(
    known,
    (await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" })).body,
  );
  remember(known, (await api.post("/payments", { amount: 2500, reference: "order-1" })).body);
  let rows = "";
  await until("the merchant's rows are at rest", async () => {
    const before = rows;
    rows = await rowsOf(merchant.id);
    return rows === before;
  });
  return { merchant, known, rows };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
