import { expect, test } from "vitest";
import { stateOfAccounts, stateOfIncoming } from "./partner-health.ts";

const minutesAgo = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 10) - minutes * 60_000).toISOString();
const now = minutesAgo(0);
const last = (paid: number, received: number) => ({ paid_at: minutesAgo(paid), received_at: minutesAgo(received) });

test("a bank is quiet after an hour without a transfer, and failing while it reports ten minutes late", () => {
  expect(stateOfIncoming(null, now)).toBe("quiet");
  expect(stateOfIncoming(last(60, 60), now)).toBe("ok");
  expect(stateOfIncoming(last(61, 61), now)).toBe("quiet");
  expect(stateOfIncoming(last(12, 2), now)).toBe("ok");
  expect(stateOfIncoming(last(13, 2), now)).toBe("failing");
});

test("a bank is failing while an account has had no number for ten minutes, and quiet without accounts", () => {
  const state = (issued: number, oldestPendingAt: string | null) => stateOfAccounts({ issued, oldestPendingAt }, now);
  expect(state(0, null)).toBe("quiet");
  expect(state(1, null)).toBe("ok");
  expect(state(0, minutesAgo(10))).toBe("ok");
  expect(state(9, minutesAgo(11))).toBe("failing");
});
