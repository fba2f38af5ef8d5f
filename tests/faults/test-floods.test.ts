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
  // The first session of a mode creates its collection account.
  for (const key of [merchant.keys.sk_live, merchant.keys.sk_test]) expect(await createSession(key)).toBe(201);
});

let created = 0;
async function createSession(key: string): Promise<number> {
  const sent = { amount: 1_000 + created, reference: `order-${created++}` };
  return (await client(stack.baseUrl, key).post("/payments", sent)).status;
}

type LiveCall = { time: number; passedBy: number };

let testSessions = 0;

/** Sequential live calls, each with its duration in ms and the number of test sessions that were created meanwhile. */
async function liveCalls() {
  const calls: LiveCall[] = [];
  while (calls.length < CALLS) {
    const [started, before] = [performance.now(), testSessions];
    expect(await createSession(merchant.keys.sk_live)).toBe(201);
    calls.push({ time: performance.now() - started, passedBy: testSessions - before });
  }
  return calls;
}

test("live sessions are created while 1,500 concurrent test sessions wait for each other", async ({ annotate }) => {
  await liveCalls();
  const alone = await liveCalls();
  const flood = Array.from({ length: FLOOD }, async () => {
    const status = await createSession(merchant.keys.sk_test);
    // A refusal comes once the time of its call is over, all of them at once: none was served before a live call.
    if (status === 201) testSessions++;
    return status;
  });
  // By then this process, which sends both modes through one queue, has sent them all.
  await until("the first test sessions are answered", async () => testSessions > 0);
  const beside = await liveCalls();
  const statuses = await Promise.all(flood);
  await annotate(`of ${CALLS} live calls, ${summary(alone)} alone, ${summary(beside)} beside the flood`);
  const passedBy = beside.map((call) => call.passedBy).toSorted((a, b) => a - b);
  expect(passedBy[CALLS >> 1], "test sessions created before the median live call").toBeLessThan(FLOOD / 8);
  expect(passedBy.at(-1), "test sessions created before the live call that most passed").toBeLessThan(FLOOD / 2);
  // None is lost: calls that cannot be answered in time are refused and can be repeated.
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
});

function summary(calls: LiveCall[]): string {
  const longest = calls.toSorted((a, b) => b.time - a.time)[0];
  return `the longest took ${Math.round(longest?.time ?? 0)} ms and was passed by ${longest?.passedBy} test sessions`;
}
