import type { MerchantScope, ReceiverScenario } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/**
 * The simulated responses to the event of the row with this alias, in test mode; null without any. Live mode does not look. The
 * order forces the primary key, as in lookups.ts.
 */
export const simulatedResponsesOf = (row: string) => `case ${row}.mode when 'test' then (
        select s.responses from simulated_responses s
        where s.event_key between ${row}.key and ${row}.key and s.merchant_id = ${row}.merchant_id
        order by s.event_key limit 1) end`;

const insert = statement<{ event_key: string }>(`
  insert into simulated_responses (event_key, merchant_id, mode, responses)
  select $3, $1, $2, $4 from endpoints where merchant_id = $1 and mode = $2 and url is not null
  on conflict (event_key) do nothing
  returning event_key`);
const find = statement("select from simulated_responses where event_key = $1 and merchant_id = $2");

/** Stores what the merchant's server is to do; of repeats the first counts. False if there is no URL to which the event is sent. */
export async function simulate(
  pool: Pool,
  merchant: MerchantScope,
  { key, responses }: { key: string; responses: ReceiverScenario[] },
): Promise<boolean> {
  const inserted = await insert(pool, [merchant.id, merchant.mode, key, responses]);
  return inserted.length > 0 || (await find(pool, [key, merchant.id])).length > 0;
}

const remove = statement<{ event_key: string }>(`
  delete from simulated_responses where event_key in (
    select event_key from simulated_responses where created_at < clock_timestamp() - $1 * interval '1 day'
    order by created_at limit $2)
  returning event_key`);

/** Deletes old ones: their deliveries have their own copy. Returns how many. */
export const deleteSimulatedResponses = async (
  pool: Pool,
  { days, max }: { days: number; max: number },
): Promise<number> => (await remove(pool, [days, max])).length;
