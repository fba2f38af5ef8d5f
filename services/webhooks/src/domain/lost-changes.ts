import { MODES, type Mode } from "@collect/contracts";

/** What was done with an endpoint, as the audit log has it. No mode: it concerned both. */
export type EndpointAct = { merchant_id: string; mode: Mode | null; action: string; at: string };
/** An endpoint that is not as its merchant left it, and when that was. */
export type LostChange = { merchantId: string; mode: Mode; at: string };

/** They change neither where events go nor how they are signed. A pause that ended is none. */
const WITHOUT_EFFECT = ["webhook.secret_revealed", "webhook.resumed"];

/**
 * The endpoints whose URL, secret or pause was changed since the restore point. An act that is not known here counts as a change:
 * to pause one endpoint too many delays events, one too few shows them to a stranger.
 */
export function createLostChanges() {
  const changed = new Map<string, LostChange>();
  const paused = new Map<string, LostChange>();

  function add({ merchant_id: merchantId, action, at }: EndpointAct, mode: Mode): void {
    const key = `${mode} ${merchantId}`;
    if (action === "webhook.paused") paused.set(key, { merchantId, mode, at });
    else if (action === "webhook.resumed") paused.delete(key);
    if (action !== "webhook.paused" && !WITHOUT_EFFECT.includes(action)) changed.set(key, { merchantId, mode, at });
  }

  return {
    /** In the order in which they were done. */
    add(acts: EndpointAct[]): void {
      for (const act of acts) for (const mode of act.mode ? [act.mode] : MODES) add(act, mode);
    },
    all: (): LostChange[] => [...new Map([...paused, ...changed]).values()],
  };
}
