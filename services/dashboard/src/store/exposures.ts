import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import type { FormerRole } from "../domain/exposure.ts";

/** The most changes to a team that are looked at, newest first. */
const FORMER_MAX = 500;

const former = statement<FormerRole>(`
  select f.user_id, u.name, u.email, f.role, f.until, m.role as present
  from former_roles f join users u on u.id = f.user_id
  left join members m on m.merchant_id = f.merchant_id and m.user_id = f.user_id
  where f.merchant_id = $1 order by f.id desc limit ${FORMER_MAX}`);

/** What the people of a team were before, newest first. A trigger records every change of the team. */
export const listFormerRoles = (pool: Pool, merchantId: string): Promise<FormerRole[]> => former(pool, [merchantId]);

type Kept = { key_id: string; user_id: string };

const kept = statement<Kept>("select key_id, user_id from kept_keys where merchant_id = $1 and mode = $2");

/** The keys that owners decided to keep, although these people had seen them. */
export const listKept = (pool: Pool, merchantId: string, mode: Mode): Promise<Kept[]> => kept(pool, [merchantId, mode]);

const keep = statement(`
  insert into kept_keys (merchant_id, mode, key_id, user_id, kept_by) values ($1, $2, $3, $4, $5)
  on conflict (merchant_id, mode, key_id, user_id) do nothing`);

export const insertKept = async (
  pool: Pool,
  {
    merchantId,
    mode,
    keyId,
    userId,
    keptBy,
  }: Record<"merchantId" | "keyId" | "userId" | "keptBy", string> & { mode: Mode },
) => void (await keep(pool, [merchantId, mode, keyId, userId, keptBy]));

const shownTo = statement<{ user_id: string }>(
  "select user_id from seen_signing_secrets where merchant_id = $1 and mode = $2 and ends = $3",
);

/** Who was shown the signing secret with these last four characters. */
export async function listShownTo(pool: Pool, merchantId: string, mode: Mode, ends: string): Promise<Set<string>> {
  return new Set((await shownTo(pool, [merchantId, mode, ends])).map(({ user_id }) => user_id));
}

const show = statement(`
  insert into seen_signing_secrets (merchant_id, mode, user_id, ends)
  select $1, $2, $3, ends from unnest($4::text[]) as ends on conflict do nothing`);

export const insertShown = async (
  pool: Pool,
  { merchantId, mode, userId, ends }: { merchantId: string; mode: Mode; userId: string; ends: string[] },
) => void (await show(pool, [merchantId, mode, userId, ends]));

const findEmail = statement<{ email: string }>(`
  select email from users where id = $2 and exists (select from former_roles where merchant_id = $1 and user_id = $2)`);

export async function findFormerEmail(pool: Pool, merchantId: string, userId: string): Promise<string | undefined> {
  const [person] = await findEmail(pool, [merchantId, userId]);
  return person?.email;
}
