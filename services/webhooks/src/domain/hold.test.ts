import { describe, expect, test } from "vitest";
import { afterBatch, BATCH_MAX, type BatchResult, type Hold, probeWait, secondsLeft } from "./hold.ts";
import { SCHEDULE } from "./schedule.ts";

/** The middle of the jitter. */
const HALF = 0.5;
const HELD: Hold = { state: "held", batchSize: 1, probes: 0, rate: null };
const RELEASING: Hold = { state: "releasing", batchSize: 8, probes: 0, rate: 100 };
const batch = (given: Partial<BatchResult>): BatchResult => ({
  acknowledged: 0,
  failed: 0,
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
  test("goes on with half the batch if some fail, and at least one", () => {
    expect(after(RELEASING, { acknowledged: 7, failed: 1 })).toMatchObject({ state: "releasing", batchSize: 4 });
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
  const full = { ...RELEASING, batchSize: BATCH_MAX, rate: 1_000 };
  const { rate } = after(full, { acknowledged: 256, elapsedMs: 512 });
  expect(rate).toBeGreaterThan(970);
  expect(rate).toBeLessThan(980);
});

test("the time left counts what arrives meanwhile, and is unknown before a measurement or if it never ends", () => {
  expect(secondsLeft({ waiting: 50_000, rate: 1_000, arrivals: 0 })).toBe(50);
  expect(secondsLeft({ waiting: 50_000, rate: 1_000, arrivals: 500 })).toBe(100);
  expect(secondsLeft({ waiting: 50_000, rate: null, arrivals: 0 })).toBeNull();
  expect(secondsLeft({ waiting: 50_000, rate: 10, arrivals: 10 })).toBeNull();
});
