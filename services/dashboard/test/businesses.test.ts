import { readMerchants, registerMerchant } from "@collect/contracts";
import { startComponents, until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { PERMISSIONS } from "../src/domain/role.ts";
import { finishBusinesses } from "../src/workers/businesses.ts";
import { aMember } from "./dashboard.ts";
import { type Member, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();
let merchantId: string;
let owner: Member;
beforeEach(async () => {
  ({ merchantId, owner } = await aTeam());
});

const outsider = () => aMember(world, dashboard, { merchantId, role: null });

test("the user who creates a business becomes its owner; repeated and concurrent requests create one", async () => {
  const person = await outsider();
  const make = () => person.post("/api/merchants", { name: "  Ngozi   Shoes " });
  const answers = [...(await Promise.all([make(), make(), make()])), await make()];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const { merchant_id, name } = answers[0]?.body ?? {};
  expect([name, String(merchant_id)]).toEqual(["Ngozi Shoes", expect.stringMatching(/^mer_[0-9A-Za-z]{22}$/)]);
  others.reply(readMerchants, ({ merchant_ids }) => ({
    merchants: merchant_ids.map((id) => ({ merchant_id: id, name: "Ngozi Shoes", verified_at: null })),
  }));
  const { body } = await person.get("/api/me");
  expect(body.merchants).toEqual([
    { merchant_id, name: "Ngozi Shoes", role: "owner", permissions: [...PERMISSIONS], verified_at: null },
  ]);
  const other = await outsider();
  expect((await other.post("/api/merchants", { name: "Ngozi Shoes" })).body.merchant_id).not.toBe(merchant_id);
  others.knowMerchants();
});

test("an interrupted creation of a business is completed later under the same id, by the worker or by a repeat", async () => {
  const person = await outsider();
  others.refuse(registerMerchant, "service_unavailable");
  expect((await person.post("/api/merchants", { name: "Broken Off" })).status).toBe(503);
  expect((await person.get("/api/me")).body.merchants).toEqual([]);
  others.refuse(registerMerchant, undefined);
  const [begun] = others.askedOf(registerMerchant).slice(-1);
  await world.owner.query(
    "update businesses set created_at = created_at - interval '1 minute' where registered_at is null",
  );
  const stop = await startComponents([
    finishBusinesses({ pool: world.pool, bus: world.bus, log: world.log, everyMs: 20 }),
  ]);
  await until("the business is there", async () => Object((await person.get("/api/me")).body.merchants).length === 1);
  await stop();
  const { body } = await person.get("/api/me");
  expect(Object(body.merchants)[0].merchant_id).toBe(begun?.merchant_id);
  expect((await person.post("/api/merchants", { name: "Broken Off" })).body.merchant_id).toBe(begun?.merchant_id);
});

test("while the gateway is unavailable users still see their businesses, from its last response", async () => {
  others.knowMerchants("Ada Stores", "2026-11-20T09:30:00.000+00:00");
  const before = (await owner.get("/api/me")).body.merchants;
  expect(before).toEqual([
    {
      merchant_id: merchantId,
      name: "Ada Stores",
      role: "owner",
      permissions: [...PERMISSIONS],
      verified_at: "2026-11-20T09:30:00.000+00:00",
    },
  ]);
  others.refuse(readMerchants, "service_unavailable");
  expect((await owner.get("/api/me")).body.merchants).toEqual(before);
  others.refuse(readMerchants, undefined);
  others.knowMerchants();
});

test("a user can create ten businesses a day and twenty in all, however many at once; repeats need no room", async () => {
  const person = await outsider();
  const make = (n: number) => person.post("/api/merchants", { name: `Shop ${n}` });
  /** The budget of calls an hour, which is spent before. */
  const forgive = () => world.owner.query("delete from rate_limit_hits where key like 'businesses_user:%'");
  const statuses = async (from: number, count: number) => {
    await forgive();
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => make(from + n)));
    return answers.map(({ status }) => status).sort();
  };
  expect(await statuses(1, 6)).toEqual(Array(6).fill(200));
  expect(await statuses(7, 8)).toEqual([...Array(4).fill(200), ...Array(4).fill(429)]);
  await forgive();
  const refused = await make(50);
  expect(refused.body.code).toBe("rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
  expect((await make(1)).status).toBe(200);

  const { rows } = await world.owner.query(
    "select founder_id from businesses where name = 'Shop 1' order by created_at desc limit 1",
  );
  const founder = rows[0].founder_id;
  await world.owner.query("update businesses set created_at = created_at - interval '25 hours' where founder_id = $1", [
    founder,
  ]);
  await world.owner.query(
    "insert into businesses (id, name, founder_id, registered_at, created_at) select 'mer_' || md5(n || $1), 'Old ' || n, $1, now(), now() - interval '2 days' from generate_series(1, 9) n",
    [founder],
  );
  expect(await statuses(60, 1)).toEqual([200]);
  const last = await make(61);
  expect([last.status, last.body.code, last.body.detail]).toEqual([
    409,
    "conflict",
    expect.stringMatching(/20 businesses/),
  ]);
  expect((await make(60)).status).toBe(200);
});
