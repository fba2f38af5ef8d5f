import { type Pool, statement } from "@collect/database";

export type SignIn = { at: string; is_successful: boolean; address: string | null; is_new_device: boolean };

/** Recorded once for each team of the user, of which there are few: so many rows hold the last sign-ins. */
const ROWS_READ = 1_000;

const list = statement<SignIn>(`
  select at, is_successful, address, is_new_device from (
    select distinct on (request_id, action) id, at, outcome = 'done' as is_successful, nullif(detail ->> 'address', '') as address,
      detail ? 'new_device' as is_new_device
    from (
      select * from audit_log where user_id = $1 and action in ('signed_in', 'sign_in.failed', 'sign_in_link.used')
      order by id desc limit ${ROWS_READ}
    ) as recorded
    order by request_id, action, id
  ) as sign_ins
  order by id desc limit $2`);

/** The user's latest sign-ins and attempts with the user's address, newest first. */
export const listSignIns = (pool: Pool, userId: string, limit: number): Promise<SignIn[]> =>
  list(pool, [userId, limit]);
