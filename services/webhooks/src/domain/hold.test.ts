import { describe, expect, test } from "vitest";
import { afterBatch, BATCH_MAX, type BatchResult, type Hold, isRefusal, probeWait, secondsLeft } from "./hold.ts";
import { SCHEDULE } from "./schedule.ts";

/** The middle of the jitter. */
const HALF = 0.5;
const HELD: Hold = { state: "held", batchSize: 1, probes: 0, rate: null, rateOverMs: 0 };
const RELEASING: Hold = { state: "releasing", batchSize: 8, probes: 0, rate: 100, rateOverMs: 1_000 };
const batch = (given: Partial<BatchResult>): BatchResult => ({
  acknowledged: 0,
  failed: 0,
  refused: 0,
  unattempted: 0,
  moved: 0,
  elapsedMs: 1_000,
  retryAfterMs: undefined,
  ...given,
});
const after = (hold: Hold, given: Partial<BatchResult>) => afterBatch(hold, batch(given), SCHEDULE, HALF);

test("probes wait as the attempts of a delivery do, and go on at the longest wait", () => {
  let hold = HELD;
  const waits = [probeWait({ probes: 0, retryAfterMs: undefined }, SCHEDULE, HALF)];
  for (let probe = 0; probe < 16; probe++) {
    const next = after(hold, { failed: 1 });
    waits.push(next.waitMs);
    hold = next;
  }
  expect(waits.slice(0, 15)).toEqual(SCHEDULE.delaysMs);
  expect(waits.slice(15)).toEqual([14 * 3_600_000, 14 * 3_600_000]);
  expect(hold).toMatchObject({ state: "held", batchSize: 1, probes: 16 });
});

test("a receiver's Retry-After lengthens the wait, up to a day", () => {
  expect(probeWait({ probes: 0, retryAfterMs: 60_000 }, SCHEDULE, HALF)).toBe(60_000);
  expect(probeWait({ probes: 0, retryAfterMs: 1e9 }, SCHEDULE, HALF)).toBe(86_400_000);
  expect(probeWait({ probes: 3, retryAfterMs: 1_000 }, SCHEDULE, HALF)).toBe(300_000);
});

test.each([
  [400, true],
  [404, true],
  [422, true],
  [408, false],
  [429, false],
  [500, false],
  [302, false],
  [null, false],
])("a response of %s is about the event: %s", (status, is) => expect(isRefusal(status)).toBe(is));

test("a server that refuses events is up: the release begins, goes on and grows", () => {
  expect(after(HELD, { failed: 1, refused: 1 })).toMatchObject({ state: "releasing", batchSize: 2, waitMs: 0 });
  expect(after(RELEASING, { failed: 8, refused: 8 })).toMatchObject({ state: "releasing", batchSize: 16 });
  expect(after(RELEASING, { failed: 8, refused: 7 })).toMatchObject({ state: "releasing", batchSize: 4 });
});

describe("a release", () => {
  test("begins with a probe that is acknowledged, and doubles its batches up to a limit", () => {
    let hold = HELD;
    const sizes: number[] = [];
    for (let n = 0; n < 10; n++) {
      const next = after(hold, { acknowledged: hold.batchSize });
      expect(next.waitMs).toBe(0);
      sizes.push(next.batchSize);
      hold = next;
    }
    expect(sizes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, BATCH_MAX, BATCH_MAX]);
    expect(hold.state).toBe("releasing");
  });
  test("goes on with half the batch if some fail or were not reached in time, and at least one", () => {
    expect(after(RELEASING, { acknowledged: 7, failed: 1 })).toMatchObject({ state: "releasing", batchSize: 4 });
    expect(after(RELEASING, { acknowledged: 3, unattempted: 5 })).toMatchObject({ state: "releasing", batchSize: 4 });
    expect(after({ ...RELEASING, batchSize: 1 }, { acknowledged: 1, failed: 1 })).toMatchObject({ batchSize: 1 });
    expect(after({ ...HELD, probes: 3 }, { acknowledged: 1, failed: 1 })).toMatchObject({
      state: "releasing",
      batchSize: 1,
      probes: 0,
    });
  });
  test("ends if a whole batch fails: the endpoint is probed from the beginning of the schedule", () => {
    expect(after(RELEASING, { failed: 8 })).toMatchObject({ state: "held", batchSize: 1, probes: 0, waitMs: 5_000 });
  });
  test("of deliveries to an earlier URL moves them first, at once", () => {
    expect(after(RELEASING, { moved: 8 })).toEqual({ ...RELEASING, waitMs: 0 });
    expect(after(HELD, { moved: 1 })).toEqual({ ...HELD, waitMs: 0 });
  });
});

test("a batch in which nothing was attempted changes nothing, and is due again a moment later", () => {
  expect(after(RELEASING, {})).toEqual({ ...RELEASING, waitMs: 1_000 });
});

test("the rate is that of the last batch while batches grow, and a mean afterwards; a probe does not count", () => {
  expect(after({ ...HELD, probes: 2 }, { acknowledged: 1, elapsedMs: 3_600_000 }).rate).toBeNull();
  expect(after(RELEASING, { acknowledged: 8, elapsedMs: 20 }).rate).toBe(400);
  const young = { ...RELEASING, batchSize: BATCH_MAX, rate: 1_000, rateOverMs: 500 };
  expect(after(young, { acknowledged: 250, elapsedMs: 500 }).rate).toBeCloseTo(748, 0);
  let settled: Hold = { ...young, rateOverMs: 30_000 };
  settled = { ...settled, ...after(settled, { acknowledged: 250, elapsedMs: 500 }) };
  expect(settled.rate).toBeGreaterThan(990);
  for (let n = 0; n < 300; n++) settled = { ...settled, ...after(settled, { acknowledged: 250, elapsedMs: 500 }) };
  expect(settled.rate).toBeCloseTo(500, -1);
  expect(settled.rateOverMs).toBeLessThan(31_000);
});

test("the time left counts what arrives meanwhile, and is unknown before a measurement or if it never ends", () => {
  expect(secondsLeft({ waiting: 50_000, rate: 1_000, arrivals: 0 })).toBe(50);
  expect(secondsLeft({ waiting: 50_000, rate: 1_000, arrivals: 500 })).toBe(100);
  expect(secondsLeft({ waiting: 50_000, rate: null, arrivals: 0 })).toBeNull();
  expect(secondsLeft({ waiting: 50_000, rate: 10, arrivals: 10 })).toBeNull();
});
