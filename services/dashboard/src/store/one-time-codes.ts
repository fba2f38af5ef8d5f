import { type Pool, statement } from "@collect/database";

/**
 * Claims a code for the user of the session, or else of the sign-in that waits for one. A code is valid for 90 seconds; its use
 * is remembered for longer, by its hash, in better-auth's table of verifications.
 */
const claim = statement<{ known: boolean; identifier: string | null }>(`
  with who as (
    select coalesce(
      (select user_id from sessions where token = $1 and expires_at > clock_timestamp()),
      (select value from verifications where identifier = $2 and expires_at > clock_timestamp())
    ) as user_id
  ), claimed as (
    insert into verifications (id, identifier, value, expires_at)
    select gen_random_uuid()::text, 'used-code-' || encode(sha256(convert_to(user_id || ' ' || $3, 'UTF8')), 'hex'), 'used',
      clock_timestamp() + interval '3 minutes'
    from who where user_id is not null
    on conflict (identifier) do update set expires_at = excluded.expires_at where verifications.expires_at <= clock_timestamp()
    returning identifier
  )
  select user_id is not null as known, (select identifier from claimed) as identifier from who`);

/** `known`: there is a user whose code it may be. Of two concurrent uses of a code only one gets the identifier. */
export async function claimCode(
  pool: Pool,
  { session, challenge, code }: { session: string | undefined; challenge: string | undefined; code: string },
): Promise<{ known: boolean; identifier: string | null }> {
  const [claimed] = await claim(pool, [session ?? null, challenge ?? null, code]);
  if (!claimed) throw new Error("a code was not answered");
  return claimed;
}

const release = statement("delete from verifications where identifier = $1");

export const releaseCode = async (pool: Pool, identifier: string) => void (await release(pool, [identifier]));
