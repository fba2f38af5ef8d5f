import { expect, test } from "vitest";
import { receivedSince } from "../src/store/recovery.ts";
import { anIntakeRow } from "./intake-rows.ts";
import { useAccounts } from "./world.ts";

const world = await useAccounts();

const at = (time: string) => new Date(`2026-${time}.000Z`);
const spanOf = ({ from, to }: { from: string; to: string }) => [Date.parse(from), Date.parse(to)];

test("an allocation after months includes its own minute, and nothing in between", async () => {
  const since = "2026-11-21T09:30:00.000+00:00";
  expect(await receivedSince(world.pool, since)).toEqual({ received_at: null, earlier: [] });
  const completedLater = async (receivedAt: Date) => {
    const intakeId = await anIntakeRow(world, { receivedAt });
    await world.owner.query("update inbound_transfers set completed_at = $2 where intake_id = $1", [
      intakeId,
      at("11-21T09:31:00"),
    ]);
  };
  await completedLater(at("09-01T10:00:30"));
  await anIntakeRow(world, { receivedAt: at("10-01T10:00:00") });
  await completedLater(at("11-21T09:27:59"));
  await completedLater(at("11-21T09:28:00"));
  await completedLater(at("11-21T09:30:40"));
  const { received_at, earlier } = await receivedSince(world.pool, since);
  expect(Date.parse(received_at ?? "")).toBe(at("11-21T09:30:40").getTime());
  expect(earlier.map(spanOf)).toEqual([
    [at("09-01T10:00:00").getTime(), at("09-01T10:01:00").getTime()],
    [at("11-21T09:27:00").getTime(), at("11-21T09:29:00").getTime()],
  ]);
});
