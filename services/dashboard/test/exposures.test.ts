import { beforeEach, expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { CREATED, replyKeys } from "./gateway-keys.ts";
import { type Member, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();

let merchantId: string;
let owner: Member;
let base: string;
beforeEach(async () => {
  ({ merchantId, owner, base } = await aTeam());
});

const theGatewayHas = (...keys: Parameters<typeof replyKeys>[1]) => replyKeys(others, keys);
const madeBy = ({ id: user_id, email }: Member) => ({ made_by: { kind: "member" as const, user_id, email } });
const aDeveloper = () => aMember(world, dashboard, { merchantId, role: "developer" });
const exposed = async (who: Member = owner, mode = "test") => {
  const { body } = await who.get(`${base.replace(/test$/, mode)}/keys`);
  return Object(body.keys).map((key: { id: string; exposed_to: { user_id: string }[] }) => [
    key.id,
    key.exposed_to.map(({ user_id }) => user_id),
  ]);
};

test("once a developer has left, owners are asked to roll the keys that the developer made, and no others", async () => {
  const [ada, emeka] = [await aDeveloper(), await aDeveloper()];
  theGatewayHas(madeBy(ada), { ...madeBy(emeka), kind: "restricted" }, { ...madeBy(ada), expires_at: CREATED });
  expect(await exposed()).toEqual([
    ["1", []],
    ["2", []],
    ["3", []],
  ]);
  expect((await ada.post(`${base}/members/${ada.id}/remove`)).status).toBe(200);
  expect(await exposed()).toEqual([
    ["1", [ada.id]],
    ["2", []],
    ["3", []],
  ]);
  expect(await exposed(emeka)).toEqual([
    ["1", []],
    ["2", []],
    ["3", []],
  ]);
});

test("a role that loses the keys counts as leaving them, until it is given back", async () => {
  const ada = await aDeveloper();
  theGatewayHas(madeBy(ada));
  await owner.post(`${base}/members/${ada.id}/role`, { role: "finance" });
  const { body } = await owner.get(`${base}/keys`);
  expect(body.keys).toMatchObject([{ exposed_to: [{ user_id: ada.id, present: "finance", made_it: true }] }]);
  await owner.post(`${base}/members/${ada.id}/role`, { role: "developer" });
  expect(await exposed()).toEqual([["1", []]]);
});

test("a removed owner may know the live key that nobody is recorded to have made", async () => {
  const second = await aMember(world, dashboard, { merchantId, role: "owner" });
  const ada = await aDeveloper();
  theGatewayHas({ mode: "live" }, { mode: "live", kind: "public" });
  for (const leaving of [second, ada]) await owner.post(`${base}/members/${leaving.id}/remove`);
  expect(await exposed(owner, "live")).toEqual([
    ["1", [second.id]],
    ["2", []],
  ]);
});

test("keeping a key is an owner's recorded decision about one person, and can be repeated", async () => {
  const [ada, emeka] = [await aDeveloper(), await aDeveloper()];
  theGatewayHas(madeBy(ada), madeBy(ada));
  expect((await owner.post(`${base}/keys/1/keep`, { user_id: ada.id })).status).toBe(404);
  await owner.post(`${base}/members/${ada.id}/remove`);
  expect((await emeka.post(`${base}/keys/1/keep`, { user_id: ada.id })).body.code).toBe("role_required");
  expect((await owner.post(`${base}/keys/1/keep`, { user_id: emeka.id })).status).toBe(404);
  expect((await owner.post(`${base}/keys/9/keep`, { user_id: ada.id })).status).toBe(404);
  const twice = await Promise.all([1, 2].map(() => owner.post(`${base}/keys/1/keep`, { user_id: ada.id })));
  expect(twice.map(({ status }) => status)).toContain(200);
  expect(await exposed()).toEqual([
    ["1", []],
    ["2", [ada.id]],
  ]);
  expect(others.audited.findLast(({ action, outcome }) => action === "key.kept" && outcome === "done")).toMatchObject({
    merchant_id: merchantId,
    detail: { key_id: "1", user_id: ada.id, email: ada.email },
    actor: { user_id: owner.id },
  });
});

test("the record of who was in a team cannot be changed by the service, and holds every way of leaving", async () => {
  const ada = await aDeveloper();
  await world.owner.query("update members set joined_at = joined_at, role = role where user_id = $1", [ada.id]);
  await world.owner.query("update members set role = 'viewer' where user_id = $1", [ada.id]);
  await world.owner.query("delete from members where user_id = $1", [ada.id]);
  const { rows } = await world.owner.query("select role from former_roles where user_id = $1 order by id", [ada.id]);
  expect(rows).toEqual([{ role: "developer" }, { role: "viewer" }]);
  for (const change of ["update former_roles set role = ''", "delete from former_roles", "delete from kept_keys"])
    await expect(world.pool.query(change)).rejects.toThrow("permission denied");
});
