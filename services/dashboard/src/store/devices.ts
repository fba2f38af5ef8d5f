import { type Pool, statement } from "@collect/database";

const user = statement<{ user_id: string; email: string }>(
  "select u.id as user_id, u.email from sessions s join users u on u.id = s.user_id where s.token = $1",
);

/** The user of a session that has just begun. */
export async function findSessionUser(
  pool: Pool,
  token: string,
): Promise<{ user_id: string; email: string } | undefined> {
  const [found] = await user(pool, [token]);
  return found;
}

const remember = statement(`
  with session as (select id, user_id from sessions where token = $1),
    earlier as (select exists (select from devices d join session s on s.user_id = d.user_id) as has_any),
    seen as (
      insert into devices as d (user_id, device) select user_id, $2 from session
      on conflict (user_id, device) do update set last_seen_at = clock_timestamp()
      returning xmax = 0 as is_new
    ),
    proven as (
      -- The password of a user who has a passkey may have been stolen: it does not count as recent authentication.
      update sessions s set second_factor = s.second_factor or $3, confirmed_at = case
        when not $3 and exists (select from passkeys k where k.user_id = s.user_id) then s.created_at - interval '1 day'
        else s.confirmed_at end
      where token = $1
    )
  delete from notices using session, earlier, seen
  where key = 'signed_in:' || session.id and not (seen.is_new and earlier.has_any)`);

/**
 * Remembers the browser of a session that has just begun, and whether a second factor was given. The user is told of a new
 * browser; not of a known one, nor of the first. If the process dies before, the user is told too.
 */
export async function rememberDevice(
  pool: Pool,
  { token, device, hasSecondFactor }: { token: string; device: string; hasSecondFactor: boolean },
): Promise<void> {
  await remember(pool, [token, device, hasSecondFactor]);
}
