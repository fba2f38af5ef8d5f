import { type ServiceProcess, startServiceProcess, type World } from "@collect/testing";
import { KEYRING } from "./service.ts";

/** The service as a process of its own, ready or already dead, which dies at the failpoint. */
export async function startDying(world: World, failpoint: string): Promise<ServiceProcess> {
  const env = { KEYRING, ALLOW_PRIVATE_URLS: "true", FAILPOINT: failpoint };
  const started = startServiceProcess(world, "webhooks", { env });
  await started.ready;
  return started;
}
