import { lateIdOf, missingIdOf } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { startDying } from "./dying.ts";
import { rowOf, world } from "./intake-world.ts";
import { aLateLine, cameLate, held, neverCame, offered, rowOfMissing, useMissingCredits } from "./missing.ts";
import { aCredit, aReversal, drive, publishedOf, statusOf, untilPublished } from "./reversing.ts";

/** The act that takes back what never came dies, or comes once more after a restore. */

await useMissingCredits();
/** Taken back as never come. */
const [late, later] = [await aCredit(), await aCredit()];
for (const { intakeId } of [late, later]) expect(await neverCame(intakeId)).toBe("accepted");

const reversedOf = async ({ id }: { id: string }) => (await rowOf(id)).reversed;

test("a restore of accounts to before the act neither loses nor doubles it: it comes back from payments, or is ordered again", async () => {
  const { transfer, intakeId } = await aCredit();
  expect(await neverCame(intakeId)).toBe("accepted");
  const first = await rowOfMissing(intakeId);
  const fact = await untilPublished(first.reversal_id);
  await lose(intakeId);
  await restoreReversals(world.pool, [fact]);
  expect(await neverCame(intakeId)).toBe("duplicate");
  expect(await statusOf(aReversal(transfer))).toBe("quarantined");
  expect(await reversedOf(transfer)).toBe(250_073n);
  // It was never published.
  await lose(intakeId);
  expect(await neverCame(intakeId)).toBe("accepted");
  const again = await rowOfMissing(intakeId);
  expect([again.reversal_id, again.amount]).toEqual([first.reversal_id, 250_073n]);
  expect(await reversedOf(transfer)).toBe(250_073n);
});

const lose = (intakeId: string) =>
  world.owner.query(`alter table inbound_reversals disable trigger user;
    delete from inbound_reversals where bank_transfer_id = '${missingIdOf(intakeId)}';
    update inbound_transfers set reversed = 0 where intake_id = '${intakeId}';
    alter table inbound_reversals enable trigger user`);

test("a process that dies between the proof and its commit, or after it, has the credit taken back once when the act is repeated", async () => {
  const credits = [await aCredit(), await aCredit()];
  for (const [index, failpoint] of ["held", "resolved"].entries()) {
    const { transfer, intakeId } = credits[index] as (typeof credits)[number];
    await world.stop();
    const dying = await startDying(world, failpoint);
    void neverCame(intakeId);
    expect(await dying.exited).toEqual([null, "SIGKILL"]);
    expect(held.has(intakeId)).toBe(true);
    expect(await reversedOf(transfer)).toBe(failpoint === "held" ? 0n : 250_073n);
    const next = await startDying(world);
    expect(await neverCame(intakeId)).toBe(failpoint === "held" ? "accepted" : "duplicate");
    const { reversal_id } = await rowOfMissing(intakeId);
    await drive();
    await until("published", () => publishedOf(reversal_id).length > 0);
    await next.die();
    expect(await reversedOf(transfer)).toBe(250_073n);
  }
});

test("a process that dies between the offer of a late line and its commit, or after it, has it credited once when the act is repeated", async () => {
  await world.stop();
  for (const [{ intakeId }, failpoint] of [
    [late, "claimed"],
    [later, "resolved"],
  ] as const) {
    const line = aLateLine(250_073n);
    const dying = await startDying(world, failpoint);
    void cameLate(line, intakeId);
    expect(await dying.exited).toEqual([null, "SIGKILL"]);
    expect(offered.get(lateIdOf(intakeId))).toBe(line);
    const next = await startDying(world);
    expect(await cameLate(line, intakeId)).toBe(failpoint === "claimed" ? "accepted" : "duplicate");
    expect(await rowOf(lateIdOf(intakeId))).toMatchObject({ amount: 250_073n, reversed: 0n });
    await next.die();
  }
});
