import { approveTransfer } from "@collect/contracts";
import { expect, test } from "vitest";
import { aMember } from "./dashboard.ts";
import { type Member, useTeams } from "./world.ts";

const { world, dashboard, others, aTeam } = await useTeams();

const HOUR_MS = 3_600_000;
/** Moves everything that is known about this member's roles into the past. */
async function age({ id }: Member, hours: number) {
  for (const [table, column] of [
    ["members", "joined_at"],
    ["former_roles", "until"],
  ])
    await world.owner.query(`update ${table} set ${column} = ${column} - $2 * interval '1 hour' where user_id = $1`, [
      id,
      hours,
    ]);
}

/** For how many hours the member has had a role that approves, as payments learns when the member approves. */
async function approvingFor(member: Member, base: string): Promise<number> {
  others.asked.length = 0;
  expect(
    (await member.post(`${base}/transfers/trf_1/approve`, { approving_since: "2020-01-01T00:00:00Z" })).status,
  ).toBe(200);
  const [{ approving_since } = {}] = others.askedOf(approveTransfer);
  return Math.round((Date.now() - Date.parse(String(approving_since))) / HOUR_MS);
}

test("payments learns since when a member has had a role that approves, whatever the member sends", async () => {
  const { merchantId, owner, base } = await aTeam();
  const member = await aMember(world, dashboard, { merchantId, role: "finance" });
  await age(member, 30);
  expect(await approvingFor(member, base)).toBe(30);

  const become = (role: string) => owner.post(`${base}/members/${member.id}/role`, { role });
  await become("owner");
  await age(member, 10);
  expect(await approvingFor(member, base)).toBe(40);
  await become("developer");
  expect((await member.post(`${base}/transfers/trf_1/approve`)).body.code).toBe("role_required");
  await age(member, 5);
  await become("finance");
  expect(await approvingFor(member, base)).toBe(0);
  await age(member, 2);
  expect(await approvingFor(member, base)).toBe(2);
});

test("who left a team and came back starts again", async () => {
  const { merchantId, base } = await aTeam();
  const member = await aMember(world, dashboard, { merchantId, role: "owner" });
  await age(member, 100);
  await world.owner.query("delete from members where user_id = $1", [member.id]);
  await world.owner.query("insert into members (merchant_id, user_id, role) values ($1, $2, 'owner')", [
    merchantId,
    member.id,
  ]);
  expect(await approvingFor(member, base)).toBe(0);
});
