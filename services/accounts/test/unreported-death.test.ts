import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { startDying } from "./dying.ts";
import { startMonnify } from "./monnify-world.ts";
import { OWN } from "./partners-world.ts";
import { startAccounts, useAccountsWorld } from "./world.ts";

const { bank, partner, env, clientOf } = await startMonnify();
const partners = { all: [OWN, partner], standard: partner, own: OWN.id };
const given = await useAccountsWorld();
/** Takes notices, and has asked for what was due when it started. */
const world = await startAccounts(given, { partners, asking: { everyMs: 3_600_000, afterMs: 0 } });
const { aCustomer, settle } = clientOf(world);

test.each([
  ["between asking and accepting", "posted", 0],
  ["once it has accepted the payment", "committed", 1],
])("a process that dies %s leaves a payment that is credited once", async (_case, failpoint, credited) => {
  const { merchant, pay } = await aCustomer();
  const lost = pay();
  const rows = async () =>
    (await world.owner.query("select merchant_id from inbound_transfers where bank_transfer_id = $1", [lost.id])).rows;
  const askAt = async () =>
    (await world.owner.query("select ask_at from settled_transfers where bank_transfer_id = $1", [lost.id])).rows[0]
      .ask_at;
  expect(await settle(`S_${failpoint}`, [lost])).toBe("accepted");
  const dying = await startDying(world, failpoint, env);
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect([bank.asked.filter((id) => id === lost.id).length, (await rows()).length]).toEqual([1, credited]);
  expect(await askAt()).not.toBeNull();
  await world.owner.query("update settled_transfers set ask_at = now() where ask_at is not null");
  const next = await startAccounts(given, { partners, asking: { everyMs: 20, afterMs: 0 } });
  await until("it is ended", async () => (await askAt()) === null);
  expect(await rows()).toEqual([{ merchant_id: merchant.id }]);
  expect(bank.asked.filter((id) => id === lost.id)).toHaveLength(2 - credited);
  expect(await lost.report()).toBe("duplicate");
  await next.stop();
});
