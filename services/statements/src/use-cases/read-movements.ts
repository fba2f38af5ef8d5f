import type { Bus } from "@collect/bus";
import { BANK_MOVEMENTS_PAGE, instantOf, listBankMovements, listOutboundTransfers } from "@collect/contracts";
import { type Pool, readClock, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { incoming, type Movement, outgoing } from "../domain/movements.ts";
import { type Position, positionOf, type Source, type Start, setPosition, storeMovements } from "../store/movements.ts";

type Deps = { pool: Pool; bus: Bus; log: Logger };
/** `next` is null after the last page. */
type Page = { movements: Movement[]; last: Position | undefined; next: Position | null };

/**
 * Reads what accounts and payments have learned since the last time. They are asked, and not listened to: so this database can be
 * restored, or come later than the money, and misses nothing that they know.
 */
export async function readMovements(deps: Deps): Promise<void> {
  while (!(await readAll(deps)));
}

/**
 * False if it has to begin anew, for an account that is new: nothing is decided by a part of what is known. The places are read before
 * anything else is, so that neither source can have gone back unnoticed.
 */
async function readAll({ pool, bus, log }: Deps): Promise<boolean> {
  const [accounts, payments] = [await positionOf(pool, "accounts"), await positionOf(pool, "payments")];
  const deps = { pool, log };
  return (
    (await readSource(deps, { source: "accounts", begun: accounts, read: (after) => incomingAfter(bus, after) })) &&
    (await readSource(deps, { source: "payments", begun: payments, read: payoutsAfter(bus) }))
  );
}

type Reading = { source: Source; begun: Start | undefined; read(after: Position): Promise<Page> };

/** Each page is stored with the place where it ends: a crash repeats one page, which changes nothing. False if it was overtaken. */
async function readSource({ pool, log }: Omit<Deps, "bus">, { source, begun, read }: Reading): Promise<boolean> {
  let after: Position | null = begun ? { at: begun.at, key: begun.key } : null;
  while (begun && after !== null) {
    const start: Position = after;
    const askedAt = instantOf(await readClock(pool));
    const { movements, last, next }: Page = await read(start);
    const reached = { source, at: last, completeTo: next === null ? askedAt : null };
    const contradicting = await transaction(pool, async (tx) => {
      if (!(await setPosition(tx, { ...reached, generation: begun.generation }))) return null;
      return storeMovements(tx, movements);
    });
    if (contradicting === null) return false;
    if (contradicting.length > 0)
      log.error(
        { alarm: "movement_changed", keys: contradicting.slice(0, 20) },
        "movements have another amount than before",
      );
    after = next;
  }
  return true;
}

async function incomingAfter(bus: Bus, after: Position): Promise<Page> {
  const reply = await bus.request(listBankMovements, { mode: "live", after, settled: true });
  const { rows } = listBankMovements.output.parse(reply);
  const end = rows.at(-1);
  const last = end && { at: end.listed_at ?? end.received_at, key: end.intake_id };
  return { movements: rows.flatMap(incoming), last, next: rows.length === BANK_MOVEMENTS_PAGE && last ? last : null };
}

/** Payouts are read by their last change: one that was pending comes again when it succeeds. */
function payoutsAfter(bus: Bus) {
  let since: string | undefined;
  return async (after: Position): Promise<Page> => {
    since ??= after.at;
    const reply = await bus.request(listOutboundTransfers, { since, after: after.key === "" ? null : after });
    const { rows, next } = listOutboundTransfers.output.parse(reply);
    const live = rows.filter(({ merchant }) => merchant.mode === "live");
    return { movements: live.flatMap(outgoing), last: next ?? undefined, next };
  };
}
