/**
 * Look-ups of what is sent, that go by one index. Plans are kept for the life of a connection, and while tables are empty every index that
 * begins with the merchant is as good as another: the newest wins, and each look-up walks through a merchant's rows later.
 * What is asked for here in an order only one index has, so that it wins then too. `between` one value and itself is there
 * because an order by what is equal to something is no order to the planner.
 */
type Place = readonly [merchantId: string, mode: string, sequence: string];

/** Of the event that a row of this name is of. */
export const placeOf = (row: string): Place => [`${row}.merchant_id`, `${row}.mode`, `${row}.sequence`];

/** The event at a place, by the primary key. */
export const eventAt = ([merchantId, mode, sequence]: Place) => `(select * from events
    where merchant_id = ${merchantId} and mode = ${mode} and sequence between ${sequence} and ${sequence}
    order by sequence limit 1)`;

/** Its deliveries, one for each URL. */
export const deliveriesAt = ([merchantId, mode, sequence]: Place) => `(select * from deliveries
    where merchant_id = ${merchantId} and mode = ${mode} and sequence between ${sequence} and ${sequence}
    order by sequence, url)`;
