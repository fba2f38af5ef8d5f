import type { Injection } from "./index.ts";

const over = async () => {};

export const brokerKill: Injection = async ({ stack }) => {
  await stack.restartNats();
  return over;
};

export const brokerWipe: Injection = async ({ stack }) => {
  await stack.wipeNats();
  return over;
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
