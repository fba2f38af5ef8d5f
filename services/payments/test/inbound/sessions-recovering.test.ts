import { cancelPayment, expireSession, givePayerDetails, reportSent } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { aShop, createPayment, rowOf, useSessions } from "./sessions-world.ts";

const world = await useSessions({ expiring: { everyMs: 3_600_000 } });

const refusalOf = (asked: Promise<unknown>) => asked.then(() => "done").catch(({ code }) => String(code));

test("nobody changes a session while a restored database catches up: it may have been paid", async () => {
  const merchant = aShop();
  const scope = { id: merchant.id, mode: merchant.mode };
  const { reference } = await createPayment(world, merchant);
  const given = await createPayment(world, merchant);
  const details = { name: "Ada Obi", email: "ada@example.com" };
  await world.others.request(givePayerDetails, { reference: given.reference, ...details });
  const before = await Promise.all([reference, given.reference].map((each) => rowOf(world, each)));
  const changes = [
    () => world.others.request(cancelPayment, { merchant, reference }),
    () => world.others.request(reportSent, { reference }),
    () => world.others.request(expireSession, { merchant: scope, reference }),
    () => world.others.request(givePayerDetails, { reference, ...details }),
    () => world.others.request(givePayerDetails, { reference: randomId("pay"), ...details }),
  ];
  await world.owner.query("insert into recoveries (restored_to, step, next_at) values (now(), 'a test', 'infinity')");
  const missing = { merchant, reference: randomId("pay") };
  await until(
    "it has noticed",
    async () => (await refusalOf(world.others.request(cancelPayment, missing))) === "service_unavailable",
  );
  for (const change of changes) expect(await refusalOf(change())).toBe("service_unavailable");
  // What is there and needs no change is answered.
  expect(await refusalOf(world.others.request(givePayerDetails, { reference: given.reference, ...details }))).toBe(
    "done",
  );
  expect(await Promise.all([reference, given.reference].map((each) => rowOf(world, each)))).toEqual(before);
  await world.owner.query("update recoveries set finished_at = now()");
  await until(
    "it is cancelled",
    async () => (await refusalOf(world.others.request(cancelPayment, { merchant, reference }))) === "done",
  );
  expect(await rowOf(world, reference)).toMatchObject({ status: "expired" });
});
