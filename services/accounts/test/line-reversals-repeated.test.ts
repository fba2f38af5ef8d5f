import { reversalIdOf } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { startDying } from "./dying.ts";
import { world } from "./intake-world.ts";
import { aLine, claims, reverse, reversedOf, rowOfLine, useLineReversals } from "./line-reversing.ts";
import {
  aCredit,
  aReversal,
  drive,
  NO_ACCOUNT,
  publishedOf,
  quarantineOf,
  reversalOf,
  statusOf,
  untilPublished,
} from "./reversing.ts";

/** What a bank took back by a line comes once more: from the bank, after a restore, or after a death. */

await useLineReversals();

test("what the bank reports later of a transfer that a line took back is held for a person, and another line is booked", async () => {
  const { transfer, intakeId } = await aCredit({ amount: 1_000 });
  expect(await reverse(aLine(-30_000n), intakeId, 30_000n)).toBe("accepted");
  const same = aReversal(transfer, { amount: 300 });
  const held = expect.stringContaining("an operator took back by the statement");
  const others = [aReversal(transfer, { amount: 200 }), aReversal(transfer, { account_number: NO_ACCOUNT })];
  for (const back of [same, same, ...others]) {
    expect(await statusOf(back)).toBe("quarantined");
    expect(await quarantineOf(back)).toEqual(held);
  }
  expect(await reversedOf(transfer)).toBe(30_000n);
  // One that could not be decided when it came, as while accounts recovers.
  await world.owner.query(
    `insert into inbound_reversals (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, bank_fee, bank_vat,
      reversed_at, received_at, drive_at) values ($1, $2, '729', 'live', $1, '', 30000, 0, 0, now(), now(), now())`,
    [`waited-${intakeId}`, intakeId],
  );
  await drive();
  await until("it is refused", async () => (await reversalOf({ id: `waited-${intakeId}` })).refused !== null);
  expect(await quarantineOf({ id: `waited-${intakeId}` })).toEqual(held);
  expect(await reverse(aLine(-20_000n), intakeId, 20_000n)).toBe("accepted");
  expect(await reversedOf(transfer)).toBe(50_000n);
});

test("a restore of accounts to before the act neither loses nor doubles it: it comes back from payments, or is ordered again", async () => {
  const { transfer, intakeId } = await aCredit();
  const line = aLine(-250_073n);
  expect(await reverse(line, intakeId, 250_073n)).toBe("accepted");
  const first = await rowOfLine(line);
  const fact = await untilPublished(first.reversal_id);
  await lose(line, transfer.id);
  await restoreReversals(world.pool, [fact]);
  expect(await reverse(line, intakeId, 250_073n)).toBe("duplicate");
  expect(await statusOf(aReversal(transfer))).toBe("quarantined");
  expect(await reversedOf(transfer)).toBe(250_073n);
  // It was never published.
  await lose(line, transfer.id);
  expect(await reverse(line, intakeId, 250_073n)).toBe("accepted");
  const again = await rowOfLine(line);
  expect([again.reversal_id, again.amount, again.reversed_at]).toEqual([
    first.reversal_id,
    250_073n,
    first.reversed_at,
  ]);
  expect(await reversedOf(transfer)).toBe(250_073n);
});

const lose = (line: string, credit: string) =>
  world.owner.query(`alter table inbound_reversals disable trigger user;
    delete from inbound_reversals where bank_transfer_id = '${reversalIdOf(line)}';
    update inbound_transfers set reversed = 0 where bank_transfer_id = '${credit}';
    alter table inbound_reversals enable trigger user`);

test("a process that dies between the claim and its commit, or after it, has the line booked once when the act is repeated", async () => {
  const credits = [await aCredit(), await aCredit()];
  for (const [index, failpoint] of ["claimed", "resolved"].entries()) {
    const { transfer, intakeId } = credits[index] as (typeof credits)[number];
    const line = aLine(-250_073n);
    await world.stop();
    const dying = await startDying(world, failpoint);
    void reverse(line, intakeId, 250_073n);
    expect(await dying.exited).toEqual([null, "SIGKILL"]);
    expect(claims.has(line)).toBe(true);
    expect(await reversedOf(transfer)).toBe(failpoint === "claimed" ? 0n : 250_073n);
    const next = await startDying(world);
    expect(await reverse(line, intakeId, 250_073n)).toBe(failpoint === "claimed" ? "accepted" : "duplicate");
    const { reversal_id } = await rowOfLine(line);
    await drive();
    await until("published", () => publishedOf(reversal_id).length > 0);
    await next.die();
    expect(await reversedOf(transfer)).toBe(250_073n);
  }
});
