import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { claimRecovery, finishRecovery, postponeRecovery, type Recovery, setStep } from "./epoch-store.ts";

export type { Recovery } from "./epoch-store.ts";

/**
 * Runs the steps of a recovery, each safe to repeat from its beginning. If it throws, the error is logged and it is run
 * again. `waitsFor` logs what a step has waited for without progress, by ids: an operator may have to end the recovery.
 */
export type Recover = (
  recovery: Recovery,
  progress: { step(name: string): Promise<void>; waitsFor(missing: string[]): void; signal: AbortSignal },
) => Promise<void>;

const RETRY_DELAY_MS = 1_000;
/** Of what is waited for. */
const NAMED_MAX = 20;

/** Claims the recovery that is due, if there is one, and runs it until it completes or a step fails. */
export function createRecoveryRunner(
  options: EpochDeps & { recover: Recover },
  state: Pick<EpochState, "step">,
  signal: AbortSignal,
): () => Promise<void> {
  const { pool, log } = options;

  return async function run(): Promise<void> {
    const recovery = await claimRecovery(pool);
    if (!recovery) return;
    const { restoredTo: restored_to } = recovery;
    try {
      const waitsFor = (missing: string[]) =>
        log.error(
          { alarm: "recovering", step: state.step, waits_for: missing.slice(0, NAMED_MAX), restored_to },
          "the recovery waits",
        );
      await options.recover(recovery, { step: createStep(recovery), waitsFor, signal });
      if (await finishRecovery(pool, recovery)) log.warn({ restored_to }, "the database has caught up");
    } catch (error) {
      if (error instanceof RecoveryEnded) return;
      if (!signal.aborted) log.error({ alarm: "recovering", restored_to, err: error }, "the recovery will be retried");
      await postponeRecovery(pool, recovery, RETRY_DELAY_MS);
    }
  };

  function createStep(recovery: Recovery): (name: string) => Promise<void> {
    let before = "";
    return async (name) => {
      // A stopping process leaves the rest to the next replica.
      signal.throwIfAborted();
      if (!(await setStep(pool, recovery, name))) throw new RecoveryEnded();
      if (name !== before) log.warn({ alarm: "recovering", step: name, restored_to: recovery.restoredTo }, "recovery");
      before = name;
      state.step = name;
    };
  }
}

/** By an operator, or by another replica that took it over: what runs of it here stops, and the next one can begin. */
class RecoveryEnded extends Error {}
