import { setTimeout as sleep } from "node:timers/promises";
import type { Response } from "express";
import { z } from "zod";

/** The outcome of an operation's calls from now on, or only of the next `times`. */
export const behaviourSetting = <Operation extends string>(operations: readonly Operation[]) =>
  z.object({
    operation: z.enum(operations),
    /**
     * `timeout` executes the call and never answers, `cut` executes it and cuts the connection, `nonsense` executes it and
     * returns an invalid response, `slow` executes it and answers after `delay_ms`: in all of them the bank has acted. `fail` is
     * a 5xx without executing it, `fail_late` one after executing it.
     */
    behaviour: z.enum(["normal", "timeout", "cut", "nonsense", "slow", "fail", "fail_late"]),
    times: z.int().min(1).max(1_000_000).optional(),
    delay_ms: z.int().min(0).max(60_000).default(2_000),
  });
export type BehaviourSetting<Operation extends string> = z.output<ReturnType<typeof behaviourSetting<Operation>>>;
export type Behaviour = Pick<BehaviourSetting<string>, "behaviour" | "delay_ms">;

export type Behaviours<Operation extends string> = {
  set(setting: BehaviourSetting<Operation>): void;
  next(operation: Operation): Behaviour;
};

const NORMAL: Behaviour = { behaviour: "normal", delay_ms: 0 };

export function createBehaviours<Operation extends string>(): Behaviours<Operation> {
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

/** Executes a call and answers it as configured. `fail` answers in the bank's words for a failure of its own. */
export async function execute(
  response: Response,
  { behaviour, delay_ms }: Behaviour,
  { work, fail }: { work: () => object; fail: () => void },
): Promise<void> {
  if (behaviour === "fail") return fail();
  const body = work();
  // Never responds: the caller's timeout ends the connection.
  if (behaviour === "timeout") return;
  if (behaviour === "cut") return void response.destroy();
  if (behaviour === "fail_late") return fail();
  if (behaviour === "slow") await sleep(delay_ms);
  if (behaviour === "nonsense") response.type("html").send("<html><body>Service temporarily {unavail");
  else response.json(body);
}
