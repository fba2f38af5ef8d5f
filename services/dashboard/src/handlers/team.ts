import { randomBytes, randomUUID } from "node:crypto";
import { type MemberRole, notFound, Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { keepsAnOwner, noOwnerLeft } from "../domain/role.ts";
import { newToken, sha256 } from "../domain/token.ts";
import type { Call } from "../http/call.ts";
import {
  deleteInvitation,
  deleteMember,
  findInvitedEmail,
  findMemberEmail,
  insertInvitation,
  listInvitations,
  listMembers,
  lockTeam,
  updateRole,
} from "../store/team.ts";

/** The team of a business. */

const INVITATIONS_MAX = 100;

type Team = Awaited<ReturnType<typeof lockTeam>>;

export async function listTeam({ deps: { pool }, member: { merchant } }: Call<unknown>) {
  const [members, invitations] = await Promise.all([
    listMembers(pool, merchant.id),
    listInvitations(pool, merchant.id),
  ]);
  return { members, invitations };
}

export async function invite({
  deps: { pool, config },
  member: { merchant, user_id: invitedBy },
  input,
}: Call<{ email: string; role: MemberRole }>) {
  const token = newToken(randomBytes(32));
  // If the owner loses the role concurrently, either this is refused, or the role change also deletes the invitation.
  const { expires_at, is_member } = await transaction(pool, async (tx) => {
    assertOwner(await lockTeam(tx, merchant.id), invitedBy);
    return insertInvitation(tx, {
      ...input,
      id: randomUUID(),
      merchantId: merchant.id,
      hash: sha256(token),
      invitedBy,
      pendingMax: INVITATIONS_MAX,
    });
  });
  if (is_member) throw new Problem("conflict", "Someone with this email address is already a member.");
  if (!expires_at) throw new Problem("conflict", `At most ${INVITATIONS_MAX} invitations can be pending at once.`);
  return { url: `${config.APP_URL}/invitation/${token}`, expires_at };
}

type ByUser = { user_id: string };

export const changeRole = (call: Call<ByUser & { role: MemberRole }>) => changeTeam(call, call.input);

export const removeMember = (call: Call<ByUser>) => changeTeam(call, { ...call.input, role: null });

/** Locks the whole team, so that an owner who lost the role since the call was authorized is refused. */
async function changeTeam(
  { deps: { pool }, member: { merchant, user_id: actor } }: Call<unknown>,
  { user_id: userId, role }: { user_id: string; role: MemberRole | null },
) {
  await transaction(pool, async (tx) => {
    const team = await lockTeam(tx, merchant.id);
    const isLeaving = role === null && userId === actor;
    if (!isLeaving) assertOwner(team, actor);
    if (!team.some((member) => member.userId === userId)) throw notFound();
    if (!keepsAnOwner(team, { userId, role })) throw noOwnerLeft();
    if (role) await updateRole(tx, merchant.id, userId, role);
    else await deleteMember(tx, merchant.id, userId);
  });
  return { user_id: userId, role };
}

function assertOwner(team: Team, userId: string): void {
  if (team.find((member) => member.userId === userId)?.role !== "owner")
    throw new Problem("role_required", "Only an owner may do that.");
}

export async function emailOfMember({ deps: { pool }, member: { merchant }, input }: Call<ByUser>) {
  const email = await findMemberEmail(pool, merchant.id, input.user_id);
  return { ...(email && { email }) };
}

export async function emailOfInvited({ deps: { pool }, member: { merchant }, input }: Call<{ id: string }>) {
  const email = await findInvitedEmail(pool, merchant.id, input.id);
  return { ...(email && { email }) };
}

export async function revoke({ deps: { pool }, member: { merchant }, input: { id } }: Call<{ id: string }>) {
  if (!(await deleteInvitation(pool, merchant.id, id))) throw notFound();
  return { id };
}
