import { confirmEpoch, MONEY_SERVICES, type MoneyService } from "@collect/contracts";
import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { beat, confirmed, insertRecovery, ownEpoch } from "./epoch-store.ts";

type PeerEpoch = { peer: MoneyService; held: bigint };

/**
 * One heartbeat: increments the epoch, has the peers confirm it, and detects that a peer has a higher epoch than this
 * database.
 */
export function createEpochBeat({ service, pool, bus, log }: EpochDeps, state: EpochState): () => Promise<void> {
  const peers = MONEY_SERVICES.filter((name) => name !== service);

  return async function beatOnce(): Promise<void> {
    const { epoch, at } = await increment();
    const confirmations = await confirmWithPeers(epoch);
    // Another replica may have incremented it in the meantime.
    const highest = confirmations.some(({ held }) => held > epoch) ? await ownEpoch(pool, service) : epoch;
    const ahead = confirmations.filter(({ held }) => held > highest);
    if (ahead.length > 0) return recordRestore(ahead);
    if (confirmations.length === 0) return;
    const confirmedBy = confirmations.map(({ peer }) => peer);
    await confirmed(pool, confirmedBy, at);
    state.isConfirmed = true;
  };

  async function increment(): Promise<{ epoch: bigint; at: string }> {
    const { epoch, at, step, recently } = await beat(pool, service).catch((error: unknown) => {
      // While it was unreachable it may have been replaced by an older one, so it must be confirmed again.
      state.isConfirmed = false;
      throw error;
    });
    // The database was restored under a running process: earlier confirmations are void.
    if (state.last !== undefined && epoch <= state.last) state.isConfirmed = false;
    state.recently = recently;
    state.last = epoch;
    state.step = step ?? undefined;
    return { epoch, at };
  }

  /** The epoch that each responding peer had before. */
  async function confirmWithPeers(epoch: bigint): Promise<PeerEpoch[]> {
    const answers = await Promise.allSettled(
      peers.map(async (peer) => {
        const { held } = await bus.request(confirmEpoch[peer], { service, epoch: Number(epoch) });
        return { peer, held: BigInt(held) };
      }),
    );
    return answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  async function recordRestore(ahead: PeerEpoch[]): Promise<void> {
    state.isConfirmed = false;
    state.step ??= "noticed";
    const { isUnknown, restoredTo } = await insertRecovery(pool, service, ahead);
    state.last = undefined;
    const held_by = ahead.map(({ peer }) => peer);
    log.error(
      { alarm: "database_restored", restored_to: isUnknown ? null : restoredTo, held_by },
      isUnknown
        ? "the database was restored to a time before its first confirmation; start its recovery by hand (ops -- recovery start)"
        : "the database was restored to an earlier time; it is catching up from its peers",
    );
  }
}
