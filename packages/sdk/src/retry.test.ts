import { describe, expect, test } from "vitest";
import { CollectError } from "./errors.ts";
import { waitBeforeNext } from "./retry.ts";

const failed = (status: number | null, { code = "x", retryAfter = null as number | null } = {}) =>
  new CollectError({ status, code, detail: "", retryAfter });
const first = { tries: 1, retries: 3 };

describe("temporary failures are retried", () => {
  test.each([429, 502, 503, 504])("status %s", (status) => {
    expect(waitBeforeNext(failed(status), first, 0)).toBeDefined();
  });
  test.each(["network_error", "timeout"])("%s", (code) => {
    expect(waitBeforeNext(failed(null, { code }), first, 0)).toBeDefined();
  });
});

test.each([301, 400, 401, 403, 404, 409, 422, 500, 501])("status %s is not retried", (status) => {
  expect(waitBeforeNext(failed(status), first, 0)).toBeUndefined();
});

test.each([
  [429, "proof_required"],
  [503, "amount_slots_exhausted"],
])("status %s is not retried with %s: the same call has the same answer for minutes", (status, code) => {
  expect(waitBeforeNext(failed(status, { code }), first, 0)).toBeUndefined();
});

test("waits double up to a maximum, and jitter keeps them between half and all of it", () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((tries) => waitBeforeNext(failed(503), { tries, retries: 9 }, random));
  expect(waits(0)).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000]);
  expect(waits(1)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

test("there are never more attempts than allowed", () => {
  expect(waitBeforeNext(failed(503), { tries: 3, retries: 3 }, 0)).toBeDefined();
  expect(waitBeforeNext(failed(503), { tries: 4, retries: 3 }, 0)).toBeUndefined();
  expect(waitBeforeNext(failed(503), { tries: 1, retries: 0 }, 0)).toBeUndefined();
});

test("Retry-After extends a wait, and one above half a minute is thrown to the caller", () => {
  expect(waitBeforeNext(failed(429, { retryAfter: 30 }), first, 0)).toBe(30_125);
  expect(waitBeforeNext(failed(429, { retryAfter: 31 }), first, 0)).toBeUndefined();
});
