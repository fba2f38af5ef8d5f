import { shiftedClock } from "../../stack/clock.ts";
import type { Injection } from "./index.ts";

export const kill: Injection = async ({ members }, { target }) => {
  const member = members.of(target);
  await member.kill();
  return () => member.start();
};

export const stop: Injection = async ({ members }, { target }) => {
  const member = members.of(target);
  member.signal("SIGSTOP");
  return async () => member.signal("SIGCONT");
};

export const clock: Injection = async ({ members }, { target, how }) => {
  const member = members.of(target);
  await member.kill();
  // It is up when the fault has begun, and the fault is over when its clock is right again.
  const starting = member.start(shiftedClock(Number(how)));
  return async () => {
    await starting;
    await member.kill();
    await member.start();
  };
};
