import { type Actor, concludeAct, importActs, listWebhookActs, recordAct, type WireResult } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { useGateway } from "./gateway.ts";

const { world } = await useGateway();
const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
type Act = WireResult<typeof listWebhookActs>["rows"][number];

const record = (merchant_id: string, action: string, mode: "live" | "test" = "live") =>
  world.others.request(
    recordAct,
    { merchant_id, mode, action, detail: { url: "https://shop.example/hook" } },
    { requestId: "req-1", actor: ADA },
  );
const conclude = (entry: Awaited<ReturnType<typeof record>>, outcome: "done" | "refused") =>
  world.others.request(concludeAct, { entry, outcome });

async function listed(since: string): Promise<Act[][]> {
  const pages: Act[][] = [];
  for (let after: { at: string; key: string } | null = null; ; ) {
    const { rows, next }: WireResult<typeof listWebhookActs> = await world.others.request(listWebhookActs, {
      since,
      after,
    });
    pages.push(rows);
    if (next === null) return pages;
    after = next;
  }
}

test("webhooks reads what was done with endpoints since then, in that order, also what may have been done, and nothing that was refused", async () => {
  const [one, other] = [randomId("mer"), randomId("mer")];
  await record(one, "webhook.set");
  const done = await record(one, "webhook.set");
  await conclude(done, "done");
  await conclude(await record(one, "webhook.secret_staged"), "refused");
  await record(other, "webhook.paused", "test");
  await record(other, "mails.set");
  const all = (await listed("2026-01-01T00:00:00.000Z")).flat();
  expect(all.map(({ at: _, ...act }) => act)).toEqual([
    { merchant_id: one, mode: "live", action: "webhook.set" },
    { merchant_id: one, mode: "live", action: "webhook.set" },
    { merchant_id: other, mode: "test", action: "webhook.paused" },
  ]);
  const [, second, last] = all;
  expect(await listed(second?.at ?? "")).toEqual([all.filter(({ at }) => at >= (second?.at ?? ""))]);
  expect(await listed(new Date(Date.parse(last?.at ?? "") + 1).toISOString())).toEqual([[]]);
});

test("more than a message holds, at one moment and of several merchants, is read page by page, each once", async () => {
  const merchants = [randomId("mer"), randomId("mer")];
  const actions = Array.from({ length: 450 }, (_, n) => `webhook.of_${n}`);
  const at = "2030-01-01T00:00:00.000Z";
  const acted = { mode: "live" as const, detail: {}, actor: ADA, outcome: "done" as const, request_id: "req-1", at };
  for (let from = 0; from < actions.length; from += 150)
    await world.others.request(importActs, {
      acts: actions.slice(from, from + 150).map((action, n) => ({
        ...acted,
        ...{ action, key: randomId("key"), merchant_id: merchants[n % 2] ?? "" },
      })),
    });
  const pages = await listed(at);
  expect(pages.map((rows) => rows.length)).toEqual([200, 200, 50]);
  expect(
    pages
      .flat()
      .map(({ action }) => action)
      .toSorted(),
  ).toEqual(actions.toSorted());
});
