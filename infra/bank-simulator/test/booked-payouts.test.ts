import { describe, expect, test, vi } from "vitest";
import { createStatements } from "../src/statements.ts";

const account = { number: "1700313889", openingKobo: 1_000_000 };
const payout = { reference: "trf_1", amount: 5_000, sessionId: null, narration: "rent" };
const day = "2026-11-27";

/** The balances and lines of a day, once the next one has begun. */
function lines(work: (statements: ReturnType<typeof createStatements>) => void): string[] {
  vi.useFakeTimers({ now: new Date(`${day}T10:00:00Z`), toFake: ["Date"] });
  try {
    const statements = createStatements({ account, journal: { entries: [], append: () => {} } });
    work(statements);
    vi.setSystemTime(new Date("2026-11-28T10:00:00Z"));
    return statements
      .give(day)
      .split("\r\n")
      .filter((line) => /^:6/.test(line));
  } finally {
    vi.useRealTimers();
  }
}

const opening = ":60F:C261127NGN10000,00";
const left = ":61:2611271127D50,00NTRFNONREF//trf_1";

describe("a payout in the statement", () => {
  test("leaves once, however often its state is the same", () => {
    const twice = lines(({ bookPayout }) => {
      for (const hasLeft of [false, true, true]) bookPayout({ ...payout, hasLeft });
    });
    expect(twice).toEqual([opening, left, ":62F:C261127NGN9950,00"]);
  });

  test("comes back once, after it has left", () => {
    const returned = lines(({ bookPayout }) => {
      for (const hasLeft of [true, false, false]) bookPayout({ ...payout, hasLeft });
    });
    expect(returned).toEqual([opening, left, left.replace("D50", "C50"), ":62F:C261127NGN10000,00"]);
  });

  test("is not there if it failed", () => {
    expect(lines(({ bookPayout }) => bookPayout({ ...payout, hasLeft: false }))).toHaveLength(2);
  });
});
