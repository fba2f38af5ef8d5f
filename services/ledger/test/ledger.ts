import { fileURLToPath } from "node:url";
import type { Pool } from "@collect/database";
import { aTransfer, openWorld, someId, startParts, type World } from "@collect/testing";
import { createApp } from "../src/app.ts";
import { collectionTransaction } from "../src/domain/collection.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));

/** The ledger alone, on its own database and broker; `replicas` of it share the work. */
export async function openLedger({ replicas = 1 } = {}): Promise<World> {
  const world = await openWorld({ service: "ledger", directory });
  const stops = await Promise.all(
    Array.from({ length: replicas }, (_, stripe) =>
      startParts(createApp({ config: { LEDGER_STRIPE: stripe }, pool: world.pool, bus: world.bus, log: world.log })),
    ),
  );
  return {
    ...world,
    async close() {
      for (const stop of stops) await stop();
      await world.close();
    },
  };
}

/** A collection ready to be posted, in test mode, at one percent. */
export function aCollection(given: { merchant: string; intakeId?: string; amount?: bigint; stripe?: number }) {
  const { merchant, intakeId = someId("int"), amount = 1_000n, stripe = 0 } = given;
  const transfer = aTransfer({ intakeId, merchant: { id: merchant, mode: "test" }, amount });
  return collectionTransaction({ transfer, feeBasisPoints: 100, stripe });
}

/** Everything that must hold of every ledger at any time; what does not is named. */
export async function faultsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(`
    with chain as (
      select *, lag(balance_after, 1, 0::bigint) over versions as before, lag(account_version, 1, 0::bigint) over versions as previous,
        lag(recorded_at) over versions as recorded_before
      from entries window versions as (partition by account_id order by account_version)
    )
    select 'the entries of ' || mode || ' do not sum to zero' as fault
      from entries join transactions on id = transaction_id group by mode having sum(entries.amount) <> 0
    union all select key || ' does not balance'
      from transactions left join entries on transaction_id = id group by id having sum(entries.amount) is distinct from 0 or count(*) < 2
    union all select account_id || ' has a broken chain at version ' || account_version
      from chain where account_version <> previous + 1 or balance_after <> before + amount or recorded_at < recorded_before
    union all select ledger_accounts.id || ' is not the sum of its entries'
      from ledger_accounts left join entries on account_id = ledger_accounts.id
      group by ledger_accounts.id having (balance, version) is distinct from (sum(amount)::bigint, count(account_id))
    union all select 'transaction ' || transaction_id || ' is not there'
      from entries left join transactions on id = transaction_id where id is null`);
  return rows.map(({ fault }) => fault);
}
