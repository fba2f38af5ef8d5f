import { setTimeout as sleep } from "node:timers/promises";

type End = () => Promise<unknown>;

/** So many callers, each again soon after its call has ended, until the returned function is called. */
export function repeatedly(call: () => Promise<unknown>, callers = 1): End {
  let isOver = false;
  const each = async () => {
    while (!isOver) {
      await call().catch(() => {});
      await sleep(50);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, each));
  return () => {
    isOver = true;
    return all;
  };
}

/** All at once: a call may wait for the end of another. */
export const ended =
  (...ends: End[]): End =>
  () =>
    Promise.all(ends.map((end) => end()));
