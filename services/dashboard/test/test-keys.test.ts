import { type Mode, makeKeys, rollKey } from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { CREATED, replyKeys } from "./gateway-keys.ts";
import { type Member, useTeams } from "./world.ts";

/** The newest test secret key of a team, which can be shown again; and live keys, which cannot. */

const { world, dashboard, others, aTeam } = await useTeams();

/** Put together, because what looks like a key is not committed. */
const aTestKey = (random: string) => `sk_test_${random}`;
const KEY = aTestKey("0123456789abcdefghijklmnopqrstuvwxyz3xYz");
const NEXT = aTestKey("abcdefghijklmnopqrstuvwxyz01234567898aBc");

let merchantId: string;
let owner: Member;
let base: string;
beforeEach(async () => {
  ({ merchantId, owner, base } = await aTeam());
  others.reply(makeKeys, ({ mode }) => ({
    made: { secret: mode === "test" ? KEY : `sk_live_${KEY}`, public: "pk_1" },
  }));
  others.reply(rollKey, () => ({ key: NEXT, old_keys_expire_at: CREATED }));
  theGatewayHas({ last_four: "3xYz" });
});

const theGatewayHas = (...keys: Parameters<typeof replyKeys>[1]) => replyKeys(others, keys);

const reveal = async (who: Member = owner, mode: Mode = "test") => {
  const { status, body } = await who.post(`${base.replace(/test$/, mode)}/keys/reveal`);
  return status === 200 ? body : [status, body.code];
};
const stored = async (): Promise<{ last_four: string; sealed: string }[]> =>
  (await world.owner.query("select last_four, sealed from test_keys where merchant_id = $1", [merchantId])).rows;

test("a test secret key is shown again to owners and developers, is recorded, and is stored sealed", async () => {
  await owner.post(`${base}/keys/make`);
  expect(await reveal()).toEqual({ key_id: "1", key: KEY });
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  expect(await reveal(developer)).toEqual({ key_id: "1", key: KEY });
  expect(others.audited.at(-1)).toMatchObject({
    action: "key.revealed",
    detail: {},
    outcome: "done",
    actor: { user_id: developer.id },
  });
  expect(JSON.stringify(others.audited)).not.toContain(KEY.slice(8));
  expect(await stored()).toEqual([{ last_four: "3xYz", sealed: expect.stringMatching(/^sealed:k1:/) }]);
  for (const role of ["finance", "support", "viewer"] as const)
    expect(await reveal(await aMember(world, dashboard, { merchantId, role }))).toEqual([403, "role_required"]);
});

test("a live key is never kept: neither the first nor a rolled one, and the table takes none in clear", async () => {
  await owner.post(`${base.replace(/test$/, "live")}/keys/make`);
  await owner.post(`${base.replace(/test$/, "live")}/keys/roll`, { kind: "secret", overlap_hours: 0 });
  expect(await stored()).toEqual([]);
  await owner.post(`${base}/keys/make`);
  expect(await reveal(owner, "live")).toEqual([409, "conflict"]);
  await expect(
    world.owner.query("update test_keys set sealed = $2 where merchant_id = $1", [merchantId, KEY]),
  ).rejects.toThrow("test_keys_sealed_check");
});

test("a rolled key takes the place of the former one, and a public key is not kept", async () => {
  await owner.post(`${base}/keys/make`);
  await owner.post(`${base}/keys/roll`, { kind: "public", overlap_hours: 0 });
  expect(await reveal()).toMatchObject({ key: KEY });
  theGatewayHas({ last_four: "3xYz", expires_at: CREATED }, { last_four: "8aBc" });
  expect(await reveal()).toEqual([409, "conflict"]);
  await owner.post(`${base}/keys/roll`, { kind: "secret", overlap_hours: 0 });
  expect(await reveal()).toEqual({ key_id: "2", key: NEXT });
  expect(await stored()).toHaveLength(1);
});

test("a key that was not made here, was revoked, or is another merchant's is not shown", async () => {
  expect(await reveal()).toEqual([409, "conflict"]);
  await owner.post(`${base}/keys/make`);
  for (const other of [
    { last_four: "zzzz" },
    { expires_at: CREATED },
    { kind: "restricted" as const },
    { mode: "live" as const },
  ]) {
    theGatewayHas({ last_four: "3xYz", ...other });
    expect(await reveal()).toEqual([409, "conflict"]);
  }
  theGatewayHas({ last_four: "3xYz" });
  const another = await aTeam();
  await world.owner.query("insert into test_keys select $1, last_four, sealed from test_keys where merchant_id = $2", [
    another.merchantId,
    merchantId,
  ]);
  expect((await another.owner.post(`${another.base}/keys/reveal`)).status).toBe(500);
  expect((await owner.post(`${another.base}/keys/reveal`)).status).toBe(404);
});

test("who was shown a key and has left may know it, until it is rolled", async () => {
  await owner.post(`${base}/keys/make`);
  const ada = await aMember(world, dashboard, { merchantId, role: "developer" });
  const emeka = await aMember(world, dashboard, { merchantId, role: "developer" });
  theGatewayHas({ last_four: "3xYz", made_by: { kind: "member", user_id: owner.id, email: owner.email } });
  await reveal(ada);
  await reveal(ada);
  for (const leaving of [ada, emeka]) await owner.post(`${base}/members/${leaving.id}/remove`);
  const { body } = await owner.get(`${base}/keys`);
  expect(Object(body.keys)[0].exposed_to).toMatchObject([{ user_id: ada.id, made_it: false }]);
  await expect(world.pool.query("delete from seen_test_keys")).rejects.toThrow("permission denied");
});
