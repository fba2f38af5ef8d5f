import { type ServiceProcess, startServiceProcess, type World } from "@collect/testing";
import { BANK_DOOR_SECRET } from "./world.ts";

/** What the service needs as a process of its own, at a bank that it does not reach. */
export const ENVIRONMENT = {
  ...{ BANK_URL: "http://127.0.0.1:9", BANK_API_SECRET: "secret-of-the-partner", BANK_CODE: "729" },
  ...{ BANK_NAME: "Harbour Bank", BANK_DOOR_SECRET, BANK_DOOR_PORT: "0", INTAKE_KEY: "k".repeat(32) },
};

/** The service as a process of its own, ready or dead; it dies at the failpoint, if one is given. */
export async function startDying(
  world: World,
  failpoint?: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const own = { ...ENVIRONMENT, ...(failpoint && { FAILPOINT: failpoint }), ...env };
  const started = startServiceProcess(world, "accounts", { env: own });
  await started.ready;
  return started;
}
