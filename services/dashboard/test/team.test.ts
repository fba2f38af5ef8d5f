import { addMember, readMerchants } from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { type Member, rolesIn, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();
let merchantId: string;
let owner: Member;
let base: string;
beforeEach(async () => {
  ({ merchantId, owner, base } = await aTeam());
});
const rolesOf = () => rolesIn(world, merchantId);

test("each member can leave a team and remove no other; the last owner stays", async () => {
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  const viewer = await aMember(world, dashboard, { merchantId, role: "viewer" });
  const other = await developer.post(`${base}/members/${viewer.id}/remove`);
  expect([other.status, other.body.code]).toEqual([403, "role_required"]);
  expect((await viewer.post(`${base}/members/${viewer.id}/role`, { role: "owner" })).status).toBe(403);
  await viewer.grow(10);
  expect((await viewer.post(`${base}/members/${viewer.id}/remove`)).body.code).toBe("reauthentication_required");
  await viewer.grow(-10);
  for (const leaving of [viewer, developer])
    expect((await leaving.post(`${base}/members/${leaving.id}/remove`)).status).toBe(200);
  expect((await owner.post(`${base}/members/${owner.id}/remove`)).status).toBe(409);
  expect(await rolesOf()).toEqual({ [owner.id]: "owner" });
});

test("a team keeps an owner: the last one can neither leave nor be demoted", async () => {
  const developer = await aMember(world, dashboard, { merchantId, role: "developer" });
  for (const [path, body] of [
    [`members/${owner.id}/remove`, {}],
    [`members/${owner.id}/role`, { role: "viewer" }],
  ] as const) {
    const refused = await owner.post(`${base}/${path}`, body);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  }
  expect((await owner.post(`${base}/members/${developer.id}/role`, { role: "owner" })).status).toBe(200);
  expect((await owner.post(`${base}/members/${owner.id}/remove`)).status).toBe(200);
  expect(await rolesOf()).toEqual({ [developer.id]: "owner" });
  expect((await owner.get(`${base}/members`)).status).toBe(404);
});

test("two owners who demote each other concurrently leave one owner", async () => {
  for (let round = 0; round < 5; round++) {
    const second = await aMember(world, dashboard, { merchantId, role: "owner" });
    await Promise.all([
      owner.post(`${base}/members/${second.id}/role`, { role: "viewer" }),
      second.post(`${base}/members/${owner.id}/role`, { role: "viewer" }),
    ]);
    const roles = Object.values(await rolesOf());
    expect(roles.filter((role) => role === "owner")).toHaveLength(1);
    await world.owner.query("delete from members where merchant_id = $1 and user_id = $2", [merchantId, second.id]);
    await world.owner.query("update members set role = 'owner' where merchant_id = $1", [merchantId]);
  }
});

test("a member of another team cannot be changed", async () => {
  const foreign = await aMember(world, dashboard, { merchantId: "mer_foreign", role: "viewer" });
  expect((await owner.post(`${base}/members/${foreign.id}/role`, { role: "owner" })).status).toBe(404);
  expect((await owner.post(`${base}/members/${foreign.id}/remove`)).status).toBe(404);
});

test("the operator adds a member to a merchant that was created elsewhere, changes a role, and can repeat both safely", async () => {
  const add = (role: "owner" | "viewer", email = "demo@example.com") =>
    world.others.request(addMember, { merchant_id: "mer_demo", email, name: "Demo", role });
  const [first, twin] = await Promise.all([add("owner"), add("owner")]);
  expect([first.created, twin.created].sort()).toEqual([false, true]);
  expect(first.user_id).toBe(twin.user_id);
  await expect(add("viewer")).rejects.toMatchObject({ code: "conflict" });
  await add("owner", "second@example.com");
  await add("viewer");
  others.reply(readMerchants, () => ({ merchants: [] }));
  await expect(add("owner", "third@example.com")).rejects.toMatchObject({ code: "not_found" });
  others.knowMerchants();
});
