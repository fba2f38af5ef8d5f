import { z } from "zod";

export const OPERATIONS = ["accounts", "name-enquiry", "payouts", "payout-enquiry"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The outcome of an operation's calls from now on, or only of the next `times`. */
export const BehaviourSetting = z.object({
  operation: z.enum(OPERATIONS),
  /**
   * `timeout` executes the call and never answers, `nonsense` executes it and returns an invalid response, `slow`
   * executes it and answers after `delay_ms`: in all three the bank has acted. `fail` is a 503 without executing it.
   */
  behaviour: z.enum(["normal", "timeout", "fail", "nonsense", "slow"]),
  times: z.int().min(1).max(1_000_000).optional(),
  delay_ms: z.int().min(0).max(60_000).default(2_000),
});
export type BehaviourSetting = z.output<typeof BehaviourSetting>;
export type Behaviour = Pick<BehaviourSetting, "behaviour" | "delay_ms">;

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
      if (!setting || setting.remaining-- <= 0) return NORMAL;
      return setting.behaviour;
    },
  };
}
