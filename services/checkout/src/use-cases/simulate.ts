import type { Bus } from "@collect/bus";
import { type Outcome, sandboxPay } from "@collect/contracts";
import { notFound } from "../domain/reference.ts";
import { canSimulate } from "../domain/simulation.ts";
import type { Refresher } from "./refresher.ts";
import type { Sessions } from "./sessions.ts";

export type Simulate = (reference: string, outcome: Outcome, requestId: string) => Promise<void>;

/**
 * Test money for a session that waits for some. To a live session it is not there. A second press joins the first; one that comes
 * later finds the session as the first has left it, for it is read again before the first is answered.
 */
export function createSimulate(deps: { bus: Bus; sessions: Sessions; refresher: Refresher }): Simulate {
  const { bus, sessions, refresher } = deps;
  const running = new Map<string, Promise<void>>();

  async function pay(reference: string, outcome: Outcome, requestId: string): Promise<void> {
    const session = await sessions.find(reference);
    const { merchant, merchantName: name } = session;
    if (merchant.mode !== "test") throw notFound();
    if (!canSimulate(session)) return;
    await bus.request(
      sandboxPay,
      { merchant: { ...merchant, name }, outcome, payment_reference: reference },
      requestId,
    );
    // The page follows the session anyway; without this it would be a moment late.
    await refresher.fetch(reference).catch(() => undefined);
  }

  return (reference, outcome, requestId) => {
    const others = running.get(reference);
    if (others) return others;
    const paying = pay(reference, outcome, requestId).finally(() => running.delete(reference));
    running.set(reference, paying);
    return paying;
  };
}
