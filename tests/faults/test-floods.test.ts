import { until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { startStack, type TestMerchant } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const FLOOD = 1_500;
const CALLS = 15;
let merchant: TestMerchant;

beforeAll(async () => {
  merchant = await stack.createMerchant();
  // The first sessions of a mode make its collection accounts.
  for (const key of [merchant.keys.sk_live, merchant.keys.sk_test]) expect(await openPayment(key)).toBe(201);
});

let opened = 0;
async function openPayment(key: string): Promise<number> {
  const sent = { amount: 1_000 + opened, reference: `order-${opened++}` };
  return (await client(stack.baseUrl, key).post("/payments", sent)).status;
}

let testAnswers = 0;

/** One live call after the other: of each its time in ms, and how many test calls were answered before it. */
async function liveCalls() {
  const calls: { time: number; passedBy: number }[] = [];
  while (calls.length < CALLS) {
    const [started, before] = [performance.now(), testAnswers];
    expect(await openPayment(merchant.keys.sk_live)).toBe(201);
    calls.push({ time: performance.now() - started, passedBy: testAnswers - before });
  }
  return calls;
}

test("live sessions are opened while 1,500 test sessions at once wait for each other", async ({ annotate }) => {
  await liveCalls();
  const alone = await liveCalls();
  const flood = Array.from({ length: FLOOD }, async () => {
    const status = await openPayment(merchant.keys.sk_test);
    testAnswers++;
    return status;
  });
  // By then this process, through whose one queue both modes leave, has sent them all.
  await until("the first test sessions are answered", async () => testAnswers > 0);
  const beside = await liveCalls();
  const statuses = await Promise.all(flood);
  await annotate(`of ${CALLS} live calls, ${summary(alone)} alone, ${summary(beside)} beside the flood`);
  const longest = Math.max(...beside.map(({ passedBy }) => passedBy));
  expect(longest, "test calls answered before the live call that waited longest").toBeLessThan(FLOOD / 4);
  // None is lost: what is not answered in time is refused, and can be sent again.
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
});

function summary(calls: { time: number; passedBy: number }[]): string {
  const longest = calls.toSorted((a, b) => b.time - a.time)[0];
  return `the longest took ${Math.round(longest?.time ?? 0)} ms and was passed by ${longest?.passedBy} test calls`;
}
