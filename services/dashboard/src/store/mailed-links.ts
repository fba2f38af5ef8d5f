import { type Session, statement, type Transaction } from "@collect/database";

export type LinkKind = "confirm_address" | "reset_password";

const insert = statement(`
  with replaced as (delete from mailed_links where user_id = $3 and kind = $2 and token_hash <> $1)
  insert into mailed_links (token_hash, kind, user_id, expires_at)
  values ($1, $2, $3, clock_timestamp() + $4 * interval '1 minute') on conflict do nothing`);

/** A newer link replaces the user's older one of the same kind. */
export async function insertMailedLink(
  session: Session,
  link: { hash: Buffer; kind: LinkKind; userId: string; validMinutes: number },
): Promise<void> {
  await insert(session, [link.hash, link.kind, link.userId, link.validMinutes]);
}

const request = statement(`
  with user_ as (select id, email from users where email = $1),
    replaced as (delete from mailed_links where user_id in (select id from user_) and kind = 'reset_password'),
    link as (
      insert into mailed_links (token_hash, kind, user_id, expires_at)
      select $3, 'reset_password', id, clock_timestamp() + $4 * interval '1 minute' from user_
    )
  insert into mails (occasion, recipient, kind, detail) select $2, email, 'reset_password', $5 from user_`);

/** Queues the mail with the link, if there is a user with this address. */
export async function requestReset(
  session: Session,
  link: { email: string; occasion: string; hash: Buffer; detail: object; validMinutes: number },
): Promise<void> {
  await request(session, [link.email, link.occasion, link.hash, link.validMinutes, link.detail]);
}

const find = statement<{ user_id: string }>(
  "select user_id from mailed_links where token_hash = $1 and kind = $2 and expires_at > clock_timestamp()",
);

export async function findMailedLink(
  session: Session,
  { hash, kind }: { hash: Buffer; kind: LinkKind },
): Promise<string | undefined> {
  const [link] = await find(session, [hash, kind]);
  return link?.user_id;
}

const confirm = statement<{ confirmed: boolean }>(`
  with used as (
    delete from mailed_links where token_hash = $1 and kind = 'confirm_address' and user_id = $2 and expires_at > clock_timestamp()
    returning user_id
  )
  update users set email_verified = true, updated_at = clock_timestamp() from used where id = used.user_id returning true as confirmed`);

/** Uses a link that proves the address of this user. */
export async function confirmAddress(session: Session, hash: Buffer, userId: string): Promise<boolean> {
  return (await confirm(session, [hash, userId])).length > 0;
}

const use = statement<{ user_id: string; was_confirmed: boolean }>(`
  with used as (
    delete from mailed_links where token_hash = $1 and kind = 'reset_password' and expires_at > clock_timestamp() returning user_id
  )
  select user_id, email_verified as was_confirmed from used join users on id = user_id`);
const clear = statement(`
  with used as (select $1::text as user_id),
    signed_out as (delete from sessions where user_id in (select user_id from used)),
    others as (delete from sign_in_links where user_id in (select user_id from used)),
    unproven as (
      update users set email_verified = true, updated_at = clock_timestamp(), two_factor_enabled = two_factor_enabled and email_verified
      where id in (select user_id from used) returning id
    ),
    without_factor as (delete from two_factors where user_id in (select user_id from used) and not $2),
    without_passkeys as (delete from passkeys where user_id in (select user_id from used) and not $2),
    password as (
      update accounts set password = $3, updated_at = clock_timestamp()
      where user_id in (select user_id from used) and provider_id = 'credential' returning id
    )
  insert into accounts (id, account_id, provider_id, user_id, password)
  select gen_random_uuid()::text, user_id, 'credential', user_id, $3 from used where not exists (select from password)`);

/**
 * Uses a link that permits a new password. It ends every session, and proves the address. If that was not proven before, another
 * person may have signed up under it: their second factors go, as with the operator's link.
 */
export async function resetPassword(
  tx: Transaction,
  { hash, password }: { hash: Buffer; password: string },
): Promise<string | undefined> {
  const [link] = await use(tx, [hash]);
  if (link) await clear(tx, [link.user_id, link.was_confirmed, password]);
  return link?.user_id;
}
