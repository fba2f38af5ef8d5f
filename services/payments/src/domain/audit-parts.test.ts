import { auditFault } from "@collect/contracts";
import { expect, test } from "vitest";
import { named, type PartName, type Progress, paymentsParts } from "./audit-parts.ts";

const NOW = "2026-11-21T10:00:00.000+00:00";
const PARTS: PartName[] = ["sessions", "transfers", "reserves"];
const progress = (given: Partial<Progress> = {}): Progress[] =>
  PARTS.map((part) => ({
    part,
    proven_at: NOW,
    age_s: 3,
    this_round: 10n,
    last_round: 20n,
    last_round_at: NOW,
    differences: [],
    last_differences: [],
    recent_differences: [],
    ...given,
  }));
type Given = Partial<Parameters<typeof paymentsParts>[0]>;
const EMPTY = { unfinishedTransfers: [], overdueTransfers: [], overdueFiles: [], overdueSessions: [] };
const parts = (given: Given) => paymentsParts({ now: NOW, progress: progress(), ...EMPTY, ...given });
const faults = (given: Given) =>
  parts(given).flatMap((part) => {
    const fault = auditFault(part);
    return fault ? [`${part.name} ${fault}`] : [];
  });

test("everything holds while each part is recent and nothing is stuck", () => {
  expect(faults({})).toEqual([]);
});

test("a part fails when it is too old, was never proven, or has differences in this round, in the last one, or among recent rows", () => {
  expect(faults({ progress: progress({ age_s: 301 }) })).toEqual(Array(3).fill(expect.stringContaining("is too old")));
  expect(faults({ progress: progress({ age_s: null }) })).toEqual(
    Array(3).fill(expect.stringContaining("not been proven")),
  );
  for (const found of ["differences", "last_differences", "recent_differences"])
    expect(faults({ progress: progress({ [found]: [{ what: "paid", where: "pay_1" }] }) })).toHaveLength(3);
});

test("stuck transfers and files of them fail, and so do sessions that are open five minutes after their expiry", () => {
  const stuck = { mode: "live" as const, step: "decided", count: 20, oldest_created_at: NOW };
  expect(faults({ overdueTransfers: [stuck] })).toEqual([expect.stringMatching(/^unfinished money out does not hold/)]);
  expect(faults({ overdueFiles: [{ ...stuck, step: "checking" }] })).toEqual([
    expect.stringMatching(/^unfinished money out does not hold/),
  ]);
  const sessions = (oldest_expires_at: string) =>
    faults({ overdueSessions: [{ mode: "live", count: 2, oldest_expires_at }] });
  expect(sessions("2026-11-21T09:56:00.000+00:00")).toEqual([]);
  expect(sessions("2026-11-21T09:54:00.000+00:00")).toEqual([expect.stringMatching(/^overdue sessions does not hold/)]);
});

test("transfers in progress are noted by step, and are no failure", () => {
  const waiting = { mode: "live" as const, step: "sending", count: 3, oldest_created_at: NOW };
  const given = { unfinishedTransfers: [waiting] };
  expect(parts(given).flatMap(({ notes }) => notes)).toContain(`live: 3 sending, the oldest since ${NOW}`);
  expect(faults(given)).toEqual([]);
});

test("each difference is named once, up to the maximum", () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ what: "paid", where: `pay_${n % 100}` }));
  expect(named(many)).toHaveLength(50);
});
