import { randomBytes, randomUUID } from "node:crypto";
import { MemberRole, Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { z } from "zod";
import { keepsAnOwner } from "../domain/role.ts";
import { newToken, sha256 } from "../domain/token.ts";
import {
  deleteInvitation,
  deleteMember,
  emailOfInvitation,
  emailOfMember,
  insertInvitation,
  listInvitations,
  listMembers,
  lockTeam,
  updateRole,
} from "../store/team.ts";
import type { Call } from "./call.ts";
import { Email } from "./sign-in.ts";
import { notFound } from "./visitors.ts";

/** The people of a business. */

const INVITATIONS_MAX = 100;

type Team = Awaited<ReturnType<typeof lockTeam>>;

export async function showTeam({ deps: { pool }, member: { merchant } }: Call) {
  const [members, invitations] = await Promise.all([
    listMembers(pool, merchant.id),
    listInvitations(pool, merchant.id),
  ]);
  return { members, invitations };
}

export const Invite = z.object({ email: Email, role: MemberRole });

export async function invite({ deps: { pool, config }, member: { merchant, user_id: invitedBy }, fields }: Call) {
  const token = newToken(randomBytes(32));
  // Whoever loses the role at this moment either is not an owner any more here, or loses the invitation with it.
  const { expires_at, is_member } = await transaction(pool, async (tx) => {
    assertOwner(await lockTeam(tx, merchant.id), invitedBy);
    return insertInvitation(tx, {
      ...Invite.parse(fields),
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

const ByUser = z.object({ user_id: z.string().max(80) });
export const ChangeRole = ByUser.extend({ role: MemberRole });
export const RemoveMember = ByUser;

export const changeRole = (call: Call) => changeTeam(call, ChangeRole.parse(call.fields));

export const removeMember = (call: Call) => changeTeam(call, { ...ByUser.parse(call.fields), role: null });

/** Under a lock on the whole team: whoever lost the right while this call was on its way has no right any more. */
async function changeTeam(
  { deps: { pool }, member: { merchant, user_id: actor } }: Call,
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

/** Whom an act is about, for the log: an id alone says nothing once they have gone. */
export async function whoIsMember({ deps: { pool }, member: { merchant }, fields }: Call) {
  const email = await emailOfMember(pool, merchant.id, ByUser.parse(fields).user_id);
  return { ...(email && { email }) };
}

export async function whoIsInvited({ deps: { pool }, member: { merchant }, fields }: Call) {
  const email = await emailOfInvitation(pool, merchant.id, ByInvitation.parse(fields).id);
  return { ...(email && { email }) };
}

export const noOwnerLeft = () =>
  new Problem("conflict", "A team needs at least one owner. Make someone else an owner first.");

export const ByInvitation = z.object({ id: z.string().max(80) });

export async function revokeInvitation({ deps: { pool }, member: { merchant }, fields }: Call) {
  const { id } = ByInvitation.parse(fields);
  if (!(await deleteInvitation(pool, merchant.id, id))) throw notFound();
  return { id };
}
