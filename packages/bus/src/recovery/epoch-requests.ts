import { confirmEpoch, endRecovery as endRecoveryOf, getRecovery, Problem, startRecovery } from "@collect/contracts";
import { answer, type Request } from "../requests.ts";
import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { endRecovery, insertRecovery, keepEpoch, lastRecovery, type Recovery } from "./epoch-store.ts";

/** The requests of peers and operators about a service's database. */
export function epochRequests(
  { service, pool, log }: EpochDeps,
  state: Pick<EpochState, "step">,
  isCurrent: () => boolean,
): Request[] {
  return [
    answer(confirmEpoch[service], async (input) => ({
      held: Number(await keepEpoch(pool, input.service, BigInt(input.epoch))),
    })),
    answer(getRecovery[service], async () => {
      const recovery = await lastRecovery(pool);
      return { is_current: isCurrent(), recovery: recovery ? toResponse(recovery) : null };
    }),
    answer(endRecoveryOf[service], async () => {
      const ended = await endRecovery(pool);
      if (!ended) throw new Problem("conflict", "No recovery is running.");
      log.error({ alarm: "recovery_ended", restored_to: ended.restoredTo }, "an operator ended the recovery");
      return { recovery: toResponse(ended) };
    }),
    answer(startRecovery[service], async ({ restored_to }) => {
      const recovery = await insertRecovery(pool, service, [], restored_to);
      state.step ??= "noticed";
      return { recovery: toResponse(recovery) };
    }),
  ];
}

function toResponse({ restoredTo, noticedAt, step, finishedAt }: Recovery) {
  return { restored_to: restoredTo, noticed_at: noticedAt, step, finished_at: finishedAt };
}
