import { shiftedClock } from "../../stack/clock.ts";
import type { Injection } from "../world.ts";

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

export const clock: Injection = async ({ members }, { target, variant }) => {
  const member = members.of(target);
  await member.kill();
  // The fault begins when it is up with the wrong clock, and ends when it is up with the right one.
  const starting = member.start(shiftedClock(Number(variant)));
  return async () => {
    await starting;
    await member.kill();
    await member.start();
  };
};
