import { setTimeout as sleep } from "node:timers/promises";
import type { Response } from "express";
import { z } from "zod";

export const OPERATIONS = [
  "login",
  "reserve",
  "reservation",
  "transaction",
  "name-enquiry",
  "disburse",
  "summary",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The outcome of an operation's calls from now on, or only of the next `times`. */
export const BehaviourSetting = z.object({
  operation: z.enum(OPERATIONS),
  /**
   * `timeout` executes the call and never answers, `nonsense` executes it and returns an invalid response, `slow` executes it
   * and answers after `delay_ms`: in all three Monnify has acted. `fail` is a 503, `expired` the 401 of an expired token, both
   * without executing it.
   */
  behaviour: z.enum(["normal", "timeout", "nonsense", "slow", "fail", "expired"]),
  times: z.int().min(1).max(1_000_000).optional(),
  delay_ms: z.int().min(0).max(60_000).default(2_000),
});
export type BehaviourSetting = z.output<typeof BehaviourSetting>;
type Behaviour = Pick<BehaviourSetting, "behaviour" | "delay_ms">;

export type Behaviours = { set(setting: BehaviourSetting): void; next(operation: Operation): Behaviour };

const NORMAL: Behaviour = { behaviour: "normal", delay_ms: 0 };

export function createBehaviours(): Behaviours {
  const settings = new Map<Operation, { behaviour: Behaviour; remaining: number }>();
  return {
    set({ operation, times = Number.POSITIVE_INFINITY, ...behaviour }) {
      settings.set(operation, { behaviour, remaining: times });
    },
    next(operation) {
      const setting = settings.get(operation);
      return setting && setting.remaining-- > 0 ? setting.behaviour : NORMAL;
    },
  };
}

/** Executes a call and answers it, as configured. */
export async function answer(
  response: Response,
  { behaviour, delay_ms }: Behaviour,
  work: () => object,
): Promise<void> {
  if (behaviour === "fail")
    return void response.status(503).type("html").send("<html><body>Service Unavailable</body></html>");
  if (behaviour === "expired")
    return void response.status(401).json({ error: "invalid_token", error_description: "Access token expired" });
  const body = work();
  // Never responds: the caller's timeout ends the connection.
  if (behaviour === "timeout") return;
  if (behaviour === "slow") await sleep(delay_ms);
  if (behaviour === "nonsense") response.type("html").send("<html><body>Service temporarily {unavail");
  else response.json(body);
}
