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

/** One live call after the other; their times in ms. */
async function liveCalls(): Promise<number[]> {
  const times: number[] = [];
  while (times.length < CALLS) {
    const started = performance.now();
    expect(await openPayment(merchant.keys.sk_live)).toBe(201);
    times.push(performance.now() - started);
  }
  return times;
}

test("live sessions are opened while 1,500 test sessions at once wait for each other", async ({ annotate }) => {
  await liveCalls();
  const alone = await liveCalls();
  let answered = 0;
  const flood = Array.from({ length: FLOOD }, () =>
    openPayment(merchant.keys.sk_test).then((status) => {
      answered++;
      return status;
    }),
  );
  const beside = await liveCalls();
  const answeredMeanwhile = answered;
  const statuses = await Promise.all(flood);
  await annotate(
    `${CALLS} live calls: ${summary(alone)} alone, ${summary(beside)} beside the flood, of which ${answeredMeanwhile} of ${FLOOD} were answered meanwhile`,
  );
  expect(answeredMeanwhile).toBeLessThan(FLOOD / 2);
  // None is lost: what is not answered in time is refused, and can be sent again.
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
});

function summary(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const total = sorted.reduce((sum, time) => sum + time, 0);
  return `p50 ${Math.round(sorted[CALLS >> 1] ?? 0)} ms, max ${Math.round(sorted.at(-1) ?? 0)} ms, together ${Math.round(total)} ms`;
}
