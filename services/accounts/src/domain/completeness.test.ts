import type { ReceivedMinute } from "@collect/contracts";
import { expect, test } from "vitest";
import { type Compared, differs, heldByMinute } from "./completeness.ts";

const differencesOf = (minutes: Parameters<typeof heldByMinute>[0]) => heldByMinute(minutes).filter(differs);

const MINUTE = "2026-11-21T09:30:00.000+00:00";
const held = (given: Partial<ReceivedMinute> = {}): ReceivedMinute => ({
  mode: "live",
  kind: "collection",
  minute: MINUTE,
  count: 2,
  sum: 300n,
  ...given,
});
const everybody = (minutes: ReceivedMinute[]) => ({
  accounts: minutes,
  ledger: minutes,
  payments: minutes,
  webhooks: minutes,
});

test("what everybody holds differs nowhere, however a service writes the time", () => {
  const minutes = [held(), held({ mode: "test", count: 1, sum: 5n })];
  const otherwise = minutes.map((minute) => ({ ...minute, minute: "2026-11-21T10:30:00+01:00" }));
  expect(differencesOf({ ...everybody(minutes), ledger: otherwise })).toEqual([]);
  expect(differencesOf(everybody([]))).toEqual([]);
});

test.each<[Compared, ReceivedMinute[]]>([
  ["accounts", []],
  ["ledger", [held({ count: 1 })]],
  ["payments", [held({ sum: 299n })]],
  ["webhooks", [held(), held({ mode: "test" })]],
])("%s alone can differ, in count, in sum or in what is not there", (service, minutes) => {
  const found = differencesOf({ ...everybody([held()]), [service]: minutes });
  expect(found).toHaveLength(1);
  const [difference] = found;
  expect(Date.parse(difference?.minute ?? "")).toBe(Date.parse(MINUTE));
  const same = Object.entries(difference?.held ?? {}).filter(([name]) => name !== service);
  expect(new Set(same.map(([, count]) => JSON.stringify(count, (_key, value) => String(value)))).size).toBe(1);
});

test("money in suspense concerns the ledger alone", () => {
  const suspense = [held({ kind: "suspense" })];
  const none = { payments: [], webhooks: [] };
  expect(differencesOf({ accounts: suspense, ledger: suspense, ...none })).toEqual([]);
  expect(differencesOf({ accounts: suspense, ledger: [], ...none })).toEqual([
    {
      mode: "live",
      kind: "suspense",
      minute: MINUTE,
      held: { accounts: { count: 2, sum: 300n }, ledger: { count: 0, sum: 0n }, payments: null, webhooks: null },
    },
  ]);
});
