import { withBackOff } from "./back-off.ts";
import type { Component } from "./component.ts";
import type { Logger } from "./log.ts";

const LONGEST_WAIT_MS = 1_000;
const NEVER = new AbortController().signal;

/** Starts it once what it waits for is there, and says each time what is not. Any other error is thrown. */
export async function startComponent(component: Component, log: Logger): Promise<void> {
  const attempt = async () => {
    try {
      await component.start();
      return {};
    } catch (error) {
      if (component.waitsOut?.(error)) throw error;
      return { error };
    }
  };
  const outcome = await withBackOff(attempt, {
    signal: NEVER,
    longestMs: LONGEST_WAIT_MS,
    onFailure: (error, waitMs) =>
      log.warn({ waits_for: component.name, err: error, waitMs }, `the ${component.name} is not ready yet`),
  });
  if (outcome && "error" in outcome) throw outcome.error;
}
