import { type ServiceProcess, startServiceProcess, type World } from "@collect/testing";
import { CONFIG } from "../inbound/sessions-world.ts";
import { BANK_API_SECRET } from "./transfers-world.ts";

/** The service as a process of its own, ready. */
export async function startProcess(world: World, bankUrl: string, failpoint?: string): Promise<ServiceProcess> {
  const env = {
    CHECKOUT_URL: "http://127.0.0.1:4100",
    BANK_URL: bankUrl,
    BANK_API_SECRET,
    BANK_CODE: "729",
    BANK_NAME: "Harbour Bank",
    TRANSFER_KEY: CONFIG.TRANSFER_KEY,
    ...(failpoint && { FAILPOINT: failpoint }),
  };
  const started = startServiceProcess(world, "payments", { env });
  await started.ready;
  return started;
}
