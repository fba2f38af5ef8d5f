/**
 * Lookups on the sending path, each forced onto one index. A plan is kept for the life of a connection. While the tables are
 * empty, every index that begins with the merchant has the same cost: the newest one is chosen, and later each lookup scans a
 * merchant's rows. An `order by` that only one index satisfies makes the planner choose that one even then. `between` a value
 * and itself is needed because the planner drops a sort column that is compared for equality.
 */
type EventKey = readonly [merchantId: string, mode: string, sequence: string];

/** The columns of the row with this alias that identify its event. */
export const eventKeyOf = (row: string): EventKey => [`${row}.merchant_id`, `${row}.mode`, `${row}.sequence`];

/** The event with this key, by the primary key. */
export const eventAt = ([merchantId, mode, sequence]: EventKey) => `(select * from events
    where merchant_id = ${merchantId} and mode = ${mode} and sequence between ${sequence} and ${sequence}
    order by sequence limit 1)`;

/** The event's deliveries, one per URL. */
export const deliveriesAt = ([merchantId, mode, sequence]: EventKey) => `(select * from deliveries
    where merchant_id = ${merchantId} and mode = ${mode} and sequence between ${sequence} and ${sequence}
    order by sequence, url)`;
