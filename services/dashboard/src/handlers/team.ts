import { randomBytes, randomUUID } from "node:crypto";
import { type MemberRole, notFound, Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { newMailedLink } from "../domain/mailed-token.ts";
import { MADE_MAX } from "../domain/rate-limits.ts";
import { keepsAnOwner, noOwnerLeft } from "../domain/role.ts";
import { newToken, sha256 } from "../domain/token.ts";
import type { Call } from "../http/call.ts";
import { queueMails } from "../store/mails.ts";
import {
  countInvitation,
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
import { noteTeamChange } from "../store/team-notices.ts";

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
  member: { merchant, user_id: invitedBy, name: inviter },
  input,
}: Call<{ email: string; role: MemberRole }>) {
  const id = randomUUID();
  const occasion = `invitation:${id}`;
  const isMailed = config.SMTP_URL !== undefined;
  const link = newMailedLink(config.AUTH_SECRET, occasion);
  const token = isMailed ? link.token : newToken(randomBytes(32));
  // If the owner loses the role concurrently, either this is refused, or the role change also deletes the invitation.
  const { expires_at, is_member } = await transaction(pool, async (tx) => {
    assertOwner(await lockTeam(tx, merchant.id), invitedBy);
    const invited = await insertInvitation(tx, {
      ...input,
      id,
      merchantId: merchant.id,
      hash: sha256(token),
      invitedBy,
      pendingMax: INVITATIONS_MAX,
      isMailed,
    });
    const isSent = invited.expires_at !== null;
    if (isSent && !(await countInvitation(tx, merchant.id, MADE_MAX.invitationsPerDay))) throw tooManyInvitations();
    const detail = { business: merchant.name, inviter, role: input.role, ...link.proof };
    if (isMailed && isSent) await queueMails(tx, [{ occasion, recipient: input.email, kind: "invitation", detail }]);
    return invited;
  });
  if (is_member) throw new Problem("conflict", "Someone with this email address is already a member.");
  if (!expires_at) throw new Problem("conflict", `At most ${INVITATIONS_MAX} invitations can be pending at once.`);
  // A link that only the mail contains proves the address of who uses it.
  return { url: isMailed ? null : `${config.APP_URL}/invitation/${token}`, expires_at };
}

const tooManyInvitations = () =>
  new Problem(
    "rate_limited",
    `At most ${MADE_MAX.invitationsPerDay} invitations can be sent in a day (UTC). Links you have already sent stay valid.`,
    { retryAfterS: DAY_S - (Math.floor(Date.now() / 1_000) % DAY_S) },
  );
const DAY_S = 86_400;

type ByUser = { user_id: string };

export const changeRole = (call: Call<ByUser & { role: MemberRole }>) => changeTeam(call, call.input);

export const removeMember = (call: Call<ByUser>) => changeTeam(call, { ...call.input, role: null });

/** Locks the whole team, so that an owner who lost the role since the call was authorized is refused. */
async function changeTeam(
  { deps: { pool }, member, client, context: { requestId } }: Call<unknown>,
  { user_id: userId, role }: { user_id: string; role: MemberRole | null },
) {
  const { merchant, user_id: actor } = member;
  await transaction(pool, async (tx) => {
    const team = await lockTeam(tx, merchant.id);
    const isLeaving = role === null && userId === actor;
    if (!isLeaving) assertOwner(team, actor);
    const present = team.find((one) => one.userId === userId);
    if (!present) throw notFound();
    if (!keepsAnOwner(team, { userId, role })) throw noOwnerLeft();
    if (role) await updateRole(tx, merchant.id, userId, role);
    else await deleteMember(tx, merchant.id, userId);
    const by = { userId: actor, who: `${member.name} (${member.email})`, client };
    await noteTeamChange(tx, { merchant, userId, from: present.role, role, by, requestId });
  });
  return { user_id: userId, role };
}

function assertOwner(team: Team, userId: string): void {
  if (team.find((member) => member.userId === userId)?.role !== "owner")
    throw new Problem("role_required", "Only an owner can do that.");
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
