import { confirmEpoch, MONEY_SERVICES, type MoneyService } from "@collect/contracts";
import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { beat, confirmed, insertRecovery, ownEpoch } from "./epoch-store.ts";

type Held = { neighbour: MoneyService; held: bigint };

/** One beat: counts on, has the neighbours confirm it, and notices when one of them holds more than this database has. */
export function createEpochBeat({ service, pool, bus, log }: EpochDeps, state: EpochState): () => Promise<void> {
  const neighbours = MONEY_SERVICES.filter((name) => name !== service);

  return async function beatOnce(): Promise<void> {
    const { epoch, at } = await count();
    const given = await confirmWithNeighbours(epoch);
    // Another replica may have counted on meanwhile.
    const highest = given.some(({ held }) => held > epoch) ? await ownEpoch(pool, service) : epoch;
    const ahead = given.filter(({ held }) => held > highest);
    if (ahead.length > 0) return notice(ahead);
    if (given.length === 0) return;
    const who = given.map(({ neighbour }) => neighbour);
    await confirmed(pool, who, at);
    state.isConfirmed = true;
  };

  async function count(): Promise<{ epoch: bigint; at: string }> {
    const { epoch, at, step, recently } = await beat(pool, service).catch((error: unknown) => {
      // While it was away it may have been replaced by an older one: whether it was must be asked again.
      state.isConfirmed = false;
      throw error;
    });
    // The database went back beneath a living process: nothing that was confirmed is of any worth.
    if (state.last !== undefined && epoch <= state.last) state.isConfirmed = false;
    state.recently = recently;
    state.last = epoch;
    state.step = step ?? undefined;
    return { epoch, at };
  }

  /** What each neighbour that answered held before. */
  async function confirmWithNeighbours(epoch: bigint): Promise<Held[]> {
    const answers = await Promise.allSettled(
      neighbours.map(async (neighbour) => {
        const { held } = await bus.request(confirmEpoch[neighbour], { service, epoch: Number(epoch) });
        return { neighbour, held: BigInt(held) };
      }),
    );
    return answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  async function notice(ahead: Held[]): Promise<void> {
    state.isConfirmed = false;
    state.step ??= "noticed";
    const { isUnknown, restoredTo } = await insertRecovery(pool, service, ahead);
    state.last = undefined;
    const held_by = ahead.map(({ neighbour }) => neighbour);
    log.error(
      { alarm: "database_restored", restored_to: isUnknown ? null : restoredTo, held_by },
      isUnknown
        ? "the database was restored to before it was ever confirmed; start its recovery by hand (ops -- recovery start)"
        : "the database was restored to an earlier moment; it catches up with its neighbours",
    );
  }
}
