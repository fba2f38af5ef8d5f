import { answerDeadLetters, type Bus, createEpochs, fulfillContracts } from "@collect/bus";
import { eachMode, type Pools } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { createMerchantServers } from "./adapters/merchant-server.ts";
import type { Config } from "./config.ts";
import { auditRequests } from "./handlers/audit.ts";
import { recordCollections } from "./handlers/collections.ts";
import { deliveryRequests } from "./handlers/deliveries.ts";
import { eventRequests } from "./handlers/events.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { replayRequests } from "./handlers/replays.ts";
import { signingSecretRequests } from "./handlers/signing-secrets.ts";
import { recordTransfers } from "./handlers/transfers.ts";
import { webhookEndpointRequests } from "./handlers/webhook-endpoints.ts";
import { createRecover } from "./workers/recovery.ts";
import { createReplayer } from "./workers/replayer.ts";
import { createSender, SENDING, type Sending } from "./workers/sender.ts";

export type Deps = {
  config: Pick<Config, "ALLOW_PRIVATE_URLS">;
  pools: Pools;
  bus: Bus;
  log: Logger;
  /** Overrides of the retry schedule and the sender's limits, for tests. */
  sending?: Partial<Sending>;
};

export function createApp({ config, pools, bus, log, ...given }: Deps): Component[] {
  const allowPrivateUrls = config.ALLOW_PRIVATE_URLS;
  const sending = { ...SENDING, ...given.sending };
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus, log });
  const epochs = createEpochs({ service: "webhooks", pool: workers, bus, log, recover });
  const servers = createMerchantServers({ allowPrivateUrls, deadlineMs: sending.deadlineMs });
  const sender = createSender({ pools: pools.path, log, servers, sending, epochs });
  const recording = { leaseMs: sending.leaseMs, enqueue: sender.enqueue, epochs };
  return [
    epochs.component,
    sender,
    createReplayer({ pool: workers, log, leaseMs: sending.leaseMs, epochs }),
    ...fulfillContracts(bus, {
      service: "webhooks",
      pools: pools.path,
      log,
      consumers: [recordCollections(recording), recordTransfers(recording)],
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        return [
          ...webhookEndpointRequests({ pool, allowPrivateUrls }),
          ...eventRequests({ pool, lists, bus, recording }),
          ...deliveryRequests({ pool: lists }),
          ...replayRequests({ pool, lists, epochs }),
          ...signingSecretRequests({ pool, lists }),
          ...auditRequests({ pool: workers }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
          ...answerDeadLetters("webhooks", { pool, bus }),
        ];
      }),
    }),
  ];
}
