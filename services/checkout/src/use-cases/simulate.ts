import type { Bus } from "@collect/bus";
import { notFound, type Outcome, type RequestContext, sandboxPay } from "@collect/contracts";
import { canSimulate } from "../domain/simulation.ts";
import type { Refresher } from "./refresher.ts";
import type { Sessions } from "./sessions.ts";

export type Simulate = (reference: string, outcome: Outcome, context: RequestContext) => Promise<void>;

/**
 * Simulates a transfer to a test session that can still receive one; a live session is not found. Concurrent calls
 * share one simulation, and a later call sees its effect, because the session is read again before the response.
 */
export function createSimulate(deps: { bus: Bus; sessions: Sessions; refresher: Refresher }): Simulate {
  const { bus, sessions, refresher } = deps;
  const running = new Map<string, Promise<void>>();

  async function pay(reference: string, outcome: Outcome, context: RequestContext): Promise<void> {
    const session = await sessions.find(reference);
    const { merchant, merchantName: name } = session;
    if (merchant.mode !== "test") throw notFound();
    if (!canSimulate(session)) return;
    await bus.request(sandboxPay, { merchant: { ...merchant, name }, outcome, payment_reference: reference }, context);
    // The page is notified of the change in any case; this only makes it immediate.
    await refresher.fetch(reference).catch(() => undefined);
  }

  return (reference, outcome, context) => {
    const pending = running.get(reference);
    if (pending) return pending;
    const paying = pay(reference, outcome, context).finally(() => running.delete(reference));
    running.set(reference, paying);
    return paying;
  };
}
