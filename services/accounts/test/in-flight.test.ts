import { instantOf, listInFlight, type WireInput } from "@collect/contracts";
import { expect, test } from "vitest";
import { anIntakeRow } from "./intake-rows.ts";
import { useAccounts } from "./world.ts";

type Span = WireInput<typeof listInFlight>["spans"][number];

const world = await useAccounts();

const NOON = new Date("2026-11-21T12:00:00Z");
const after = (ms: number) => instantOf(new Date(NOON.getTime() + ms));
/** Money received in the second before noon, in a live account. */
const span = (given: Partial<Span>): Span => ({
  key: "pay_1",
  mode: "live",
  account_number: "0000000215",
  from: after(-1_000),
  before: after(0),
  ...given,
});
const inFlight = async (...spans: Span[]) => (await world.others.request(listInFlight, { spans })).under_way;

test("a span is in flight while money received in it, from its start (inclusive) to its end (exclusive), is not recorded yet", async () => {
  const row = { accountNumber: "0000000215", receivedAt: NOON, isCompleted: false };
  const intakeId = await anIntakeRow(world, row);
  const holding = span({ from: after(0), before: after(1) });
  expect(await inFlight(holding)).toEqual(["pay_1"]);
  expect(await inFlight(span({ from: after(-1), before: after(0) }))).toEqual([]);
  expect(await inFlight(span({ from: after(1), before: after(2) }))).toEqual([]);
  expect(await inFlight({ ...holding, mode: "test" })).toEqual([]);
  expect(await inFlight({ ...holding, account_number: "0000000222" })).toEqual([]);

  await world.owner.query("update inbound_transfers set completed_at = now() where intake_id = $1", [intakeId]);
  expect(await inFlight(holding)).toEqual([]);
});

test("many spans can be requested together, even several of one account, and each key in flight is returned once", async () => {
  const [busy, idle] = ["0000000239", "0000000246"] as const;
  for (const ms of [0, 0, 5])
    await anIntakeRow(world, { accountNumber: busy, receivedAt: new Date(NOON.getTime() + ms), isCompleted: false });
  const found = await inFlight(
    span({ key: "pay_before", account_number: busy }),
    span({ key: "pay_during", account_number: busy, from: after(0), before: after(5) }),
    span({ key: "pay_whole", account_number: busy, before: after(6) }),
    span({ key: "pay_whole", account_number: busy, before: after(6) }),
    span({ key: "pay_idle", account_number: idle, before: after(6) }),
  );
  expect(found.sort()).toEqual(["pay_during", "pay_whole"]);
  expect(await inFlight()).toEqual([]);
});
