import { type Pool, type Session, statement } from "@collect/database";

/** Which sessions may set up a second factor, and which wait for their mailed code. */

/** After the password, and the code, the page has this long. */
const PERMITTED_FOR = "interval '15 minutes'";
const ATTEMPTS_MAX = 5;

const wait = statement(`
  insert into enrolments (session_id, occasion, expires_at) values ($1, $2, clock_timestamp() + $3 * interval '1 minute')
  on conflict (session_id) do update set occasion = excluded.occasion, attempts = 0, expires_at = excluded.expires_at, permitted_until = null`);

/** The session waits for this code; a newer one replaces it. */
export const awaitCode = async (
  session: Session,
  { sessionId, occasion, validMinutes }: { sessionId: string; occasion: string; validMinutes: number },
) => void (await wait(session, [sessionId, occasion, validMinutes]));

const permit = statement<{ permitted_until: string }>(`
  insert into enrolments (session_id, expires_at, permitted_until)
  values ($1, clock_timestamp() + ${PERMITTED_FOR}, clock_timestamp() + ${PERMITTED_FOR})
  on conflict (session_id) do update set occasion = null, expires_at = excluded.expires_at, permitted_until = excluded.permitted_until
  returning permitted_until`);

/** Without a code: the user has given a second factor. */
export async function permitEnrolment(pool: Pool, sessionId: string): Promise<string> {
  const [permitted] = await permit(pool, [sessionId]);
  if (!permitted) throw new Error("a permission was not stored");
  return permitted.permitted_until;
}

const attempt = statement<{ occasion: string }>(`
  update enrolments set attempts = attempts + 1
  where session_id = $1 and occasion is not null and expires_at > clock_timestamp() and attempts < ${ATTEMPTS_MAX}
  returning occasion`);

/** Counts an attempt before it is judged; undefined if no code is awaited, or it bears no more attempts. */
export async function countAttempt(pool: Pool, sessionId: string): Promise<string | undefined> {
  const [awaited] = await attempt(pool, [sessionId]);
  return awaited?.occasion;
}

const use = statement<{ permitted_until: string }>(`
  update enrolments set occasion = null, permitted_until = clock_timestamp() + ${PERMITTED_FOR}
  where session_id = $1 and occasion = $2 returning permitted_until`);

/** The code was right: of two concurrent uses one gets the permission. */
export async function acceptCode(pool: Pool, sessionId: string, occasion: string): Promise<string | undefined> {
  const [permitted] = await use(pool, [sessionId, occasion]);
  return permitted?.permitted_until;
}

const find = statement("select 1 from enrolments where session_id = $1 and permitted_until > clock_timestamp()");
export const isPermitted = async (pool: Pool, sessionId: string): Promise<boolean> =>
  (await find(pool, [sessionId])).length > 0;

const end = statement("delete from enrolments where session_id = $1 and permitted_until is not null");

/** One permission sets up one factor. */
export const endEnrolment = async (pool: Pool, sessionId: string) => void (await end(pool, [sessionId]));
