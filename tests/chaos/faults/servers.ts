import type { Injection } from "../world.ts";

const nothingToUndo = async () => {};

export const brokerKill: Injection = async ({ stack }) => {
  await stack.restartNats();
  return nothingToUndo;
};

export const brokerWipe: Injection = async ({ stack }) => {
  await stack.wipeNats();
  return nothingToUndo;
};

export const brokerStop: Injection = async ({ stack }) => {
  const pid = stack.natsPid();
  process.kill(pid, "SIGSTOP");
  return async () => process.kill(pid, "SIGCONT");
};

export const databaseKill: Injection = async ({ stack }) => {
  await stack.stopPostgres({ immediate: true });
  return () => stack.startPostgres();
};
