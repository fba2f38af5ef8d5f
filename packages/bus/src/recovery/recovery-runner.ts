import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { claimRecovery, finishRecovery, postponeRecovery, type Recovery, setStep } from "./epoch-store.ts";

export type { Recovery } from "./epoch-store.ts";

/** One step after the other, each safe to repeat from its beginning. What it throws is logged, and it is begun again. */
export type Recover = (
  recovery: Recovery,
  progress: { step(name: string): Promise<void>; signal: AbortSignal },
) => Promise<void>;

const AGAIN_MS = 1_000;

/** Claims the recovery that is due, if there is one, and runs it to its end or to the step at which it failed. */
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
      await options.recover(recovery, { step: stepper(recovery), signal });
      if (await finishRecovery(pool, recovery)) log.warn({ restored_to }, "the database has caught up");
    } catch (error) {
      if (!signal.aborted) log.error({ alarm: "recovering", restored_to, err: error }, "the recovery will try again");
      await postponeRecovery(pool, recovery, AGAIN_MS);
    }
  };

  function stepper(recovery: Recovery): (name: string) => Promise<void> {
    let before = "";
    return (name) => {
      if (name !== before) log.warn({ alarm: "recovering", step: name, restored_to: recovery.restoredTo }, "recovery");
      before = name;
      state.step = name;
      // A process that stops leaves it to the next replica, and does not go through all of it first.
      signal.throwIfAborted();
      return setStep(pool, recovery, name);
    };
  }
}
