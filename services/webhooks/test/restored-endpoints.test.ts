import { readFile } from "node:fs/promises";
import { startRecovery } from "@collect/contracts";
import { startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { startDying } from "./dying.ts";
import { sequencesOf } from "./holding.ts";
import { openRestored } from "./restored.ts";
import { openForOneTest, setUrl, untilStatuses } from "./service.ts";

async function openTest() {
  const { world, receiver, replicas } = await openForOneTest();
  const [former, present] = await Promise.all([startReceiver(), startReceiver()]);
  onTestFinished(former.stop);
  onTestFinished(present.stop);
  return { world, receiver, replicas, former, present, restored: await openRestored(world) };
}

test("after a restore nothing is sent to an endpoint that was changed since, until it is resumed; all others get what waited and what was lost", async () => {
  const { world, receiver, replicas, former, present, restored } = await openTest();
  const [changed, rolled, same] = [
    await restored.endpoint(former.url),
    await restored.endpoint(former.url),
    await restored.endpoint(receiver.url),
  ];
  const act = restored.changed(changed, "set");
  restored.changed(rolled, "secret_activated");
  restored.changed(same, "secret_revealed");
  await replicas.start();
  await restored.caughtUp();
  await untilStatuses(world, same, "delivered", "delivered");
  await untilStatuses(world, changed, "pending", "pending");
  expect(former.received).toEqual([]);
  const since = Date.parse(restored.read[0]?.since ?? "");
  // An hour and six minutes ago, give or take how long the test has run.
  expect(Math.abs(Date.now() - since - 66 * 60_000)).toBeLessThan(60_000);
  for (const merchant of [changed, rolled])
    await until("both events wait", async () => {
      const hold = await restored.holdOf(merchant);
      return hold?.state === "paused" && hold.waiting === 2;
    });
  expect((await restored.holdOf(changed))?.lost_change_at).toBe(act.at);

  // Setting the URL says nothing of the secret: what ends it is that somebody says so.
  await setUrl(world, changed, present.url);
  expect(await restored.holdOf(changed)).toMatchObject({ state: "paused", lost_change_at: act.at });
  await restored.resume(changed);
  await until("its server has both", () => new Set(sequencesOf(present)).size === 2);
  expect(sequencesOf(present)).toEqual([1, 2]);
  expect(former.received).toEqual([]);
  await until("the hold has ended", async () => (await restored.holdOf(changed)) === null);
});

test("nothing is sent to anybody while the audit log cannot be read, and no endpoint is resumed meanwhile", async () => {
  const { world, receiver, replicas, former, restored } = await openTest();
  const [changed, same] = [await restored.endpoint(former.url), await restored.endpoint(receiver.url)];
  restored.changed(changed, "set");
  restored.gateway.isAway = true;
  await replicas.start();
  await until("it has been asked again and again", () => restored.read.length >= 3);
  expect(await restored.recovery()).toMatchObject({ step: expect.stringMatching(/audit log/), finished_at: null });
  await expect(restored.resume(changed)).rejects.toMatchObject({ code: "service_unavailable" });
  expect([...former.received, ...receiver.received]).toEqual([]);
  restored.gateway.isAway = false;
  await untilStatuses(world, same, "delivered", "delivered");
  expect(await restored.holdOf(changed)).toMatchObject({ state: "paused" });
  expect(former.received).toEqual([]);
});

test("a process that dies once the endpoints are paused leaves the rest to two others, which send nothing to a former URL either", async () => {
  const { world, receiver, replicas, former, restored } = await openTest();
  const [changed, same] = [await restored.endpoint(former.url), await restored.endpoint(receiver.url)];
  restored.changed(changed, "set");
  restored.changed(same, "secret_revealed");
  restored.gateway.pageRows = 1;
  const { exited } = await startDying(world, "paused");
  await exited;
  expect(restored.read.map(({ after }) => after)).toEqual([undefined, "1"]);
  const { rows } = await world.owner.query("select state from holds where merchant_id = $1", [changed.id]);
  expect(rows).toEqual([{ state: "paused" }]);
  expect([...former.received, ...receiver.received]).toEqual([]);
  // As after the lease of the dead process.
  await world.owner.query("update recoveries set next_at = now()");
  await Promise.all([replicas.start(), replicas.start()]);
  await restored.caughtUp();
  await untilStatuses(world, same, "delivered", "delivered");
  await untilStatuses(world, changed, "pending", "pending");
  expect(former.received).toEqual([]);
  expect(sequencesOf(receiver).toSorted()).toEqual([1, 2]);
});

test("a recovery that is started again pauses the same endpoints, also those that were resumed: what was set since counts as lost", async () => {
  const { world, replicas, former, restored } = await openTest();
  const changed = await restored.endpoint(former.url);
  const { at } = restored.changed(changed, "set");
  former.behave((response) => void response.writeHead(503).end("no"));
  await replicas.start();
  await restored.caughtUp();
  await restored.resume(changed);
  await until("its oldest event is tried", () => former.received.length > 0);
  const before = await restored.recovery();
  await world.others.request(startRecovery.webhooks, { restored_to: at });
  await until("it has caught up again", async () => {
    const recovery = await restored.recovery();
    return recovery?.finished_at && recovery.noticed_at !== before?.noticed_at;
  });
  expect(await restored.holdOf(changed)).toMatchObject({ state: "paused", lost_change_at: at });
});

test("an endpoint without a URL is not paused, one whose URL is removed is not any more, and a member's own pause has no such reason", async () => {
  const { world, receiver, replicas, former, restored } = await openTest();
  const without = await restored.endpoint(null);
  const [removed, own] = [await restored.endpoint(former.url), await restored.endpoint(receiver.url)];
  for (const merchant of [without, removed]) restored.changed(merchant, "set");
  await replicas.start();
  await restored.caughtUp();
  expect(await restored.holdOf(without)).toBeNull();
  await restored.pause(removed);
  expect(await restored.holdOf(removed)).toMatchObject({ state: "paused", lost_change_at: expect.any(String) });
  await setUrl(world, removed, null);
  await untilStatuses(world, removed, "superseded", "superseded");
  expect(former.received).toEqual([]);
  await restored.pause(own);
  expect(await restored.holdOf(own)).toMatchObject({ state: "paused", lost_change_at: null });
});

test("where the audit log is lost as well, the runbook's statement pauses the endpoints that it names before a process runs", async () => {
  const { world, receiver, replicas, former, restored } = await openTest();
  const [changed, same] = [await restored.endpoint(former.url), await restored.endpoint(receiver.url)];
  // Every service was restored to the same moment: no peer has a higher epoch.
  await world.owner.query("update epochs set epoch = 1000000 where service = 'webhooks'");
  const runbook = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const [, statement = ""] = /psql -X collect_webhooks -c "(insert into holds[^"]*)"/.exec(runbook) ?? [];
  expect(statement).toContain("('mer_…', 'live')");
  for (let times = 0; times < 2; times++)
    await world.owner.query(statement.replace("('mer_…', 'live')", `('${changed.id}', '${changed.mode}')`));
  await replicas.start();
  await untilStatuses(world, same, "delivered");
  await until("it waits", async () => (await restored.holdOf(changed))?.waiting === 1);
  expect(await restored.holdOf(changed)).toMatchObject({ state: "paused", lost_change_at: expect.any(String) });
  expect([former.received, await restored.recovery()]).toEqual([[], null]);
});
