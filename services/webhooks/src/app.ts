import { type Bus, createEpochs, createStandings, fulfillContracts } from "@collect/bus";
import { CHALLENGE_MS } from "@collect/contracts";
import { eachMode, enforceRetention, type Pools, type Retention } from "@collect/database";
import { type Component, createKeyring, type Logger } from "@collect/runtime";
import { createMerchantServers } from "./adapters/merchant-server.ts";
import type { UrlRules } from "./adapters/merchant-url.ts";
import type { Config } from "./config.ts";
import { recordAttachments } from "./handlers/attachments.ts";
import { auditRequests } from "./handlers/audit.ts";
import { recordCollections } from "./handlers/collections.ts";
import { deliveryRequests } from "./handlers/deliveries.ts";
import { endpointChangeRequests } from "./handlers/endpoint-changes.ts";
import { erasureRequests } from "./handlers/erasures.ts";
import { eventRequests } from "./handlers/events.ts";
import { eventsByKey } from "./handlers/events-by-key.ts";
import { holdRequests } from "./handlers/holds.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { replayRequests } from "./handlers/replays.ts";
import { recordReversals } from "./handlers/reversals.ts";
import { secretRequests } from "./handlers/secrets.ts";
import { signingSecretRequests } from "./handlers/signing-secrets.ts";
import { simulatedResponseRequests } from "./handlers/simulated-responses.ts";
import { testClockRequests } from "./handlers/test-clock.ts";
import { recordTransfers } from "./handlers/transfers.ts";
import { webhookEndpointRequests } from "./handlers/webhook-endpoints.ts";
import { forgetResponses } from "./store/attempt-log.ts";
import { deleteChallenges } from "./store/challenges.ts";
import { deleteSimulatedResponses } from "./store/simulated-responses.ts";
import { createSealedSecrets } from "./use-cases/sealed-secrets.ts";
import { watchEndpoints } from "./workers/endpoint-health.ts";
import { measureDeliveries } from "./workers/measurements.ts";
import { createRecover } from "./workers/recovery.ts";
import { createReplayer } from "./workers/replayer.ts";
import { createSender, SENDING, type Sending } from "./workers/sender.ts";

export type Deps = {
  config: Pick<Config, "ALLOW_PRIVATE_URLS" | "KEYRING" | "SEAL_SECRETS"> &
    Partial<Pick<Config, "CONFIRM_PRIVATE_URLS" | "WEBHOOK_PORTS" | "RESPONSE_DAYS">>;
  pools: Pools;
  bus: Bus;
  log: Logger;
  /** Overrides of the retry schedule and the sender's limits, for tests. */
  sending?: Partial<Sending>;
  /** How often endpoints are looked at, for tests. */
  watching?: { everyMs: number };
};

export function createApp({ config, pools, bus, log, ...given }: Deps): Component[] {
  const urls = urlRules(config);
  const sending = { ...SENDING, ...given.sending };
  const { workers } = pools;
  const recover = createRecover({ pool: workers, bus, log });
  const epochs = createEpochs({ service: "webhooks", pool: workers, bus, log, recover });
  const servers = createMerchantServers({ urls, deadlineMs: sending.deadlineMs });
  const challengers = createMerchantServers({ urls, deadlineMs: CHALLENGE_MS });
  const secrets = createSealedSecrets(createKeyring(config.KEYRING, { isSealing: config.SEAL_SECRETS }));
  const sender = createSender({ pools: pools.path, log, servers, secrets, sending, epochs });
  const standings = createStandings(bus);
  const recording = { leaseMs: sending.leaseMs, enqueue: sender.enqueue, epochs };
  return [
    epochs.component,
    { name: "challenges", start: async () => {}, stop: challengers.close },
    sender,
    measureDeliveries(workers),
    watchEndpoints(workers, { log, ...given.watching }),
    createReplayer({ pool: workers, log, leaseMs: sending.leaseMs, epochs }),
    enforceRetention(workers, { log, rules: retentionOf(config) }),
    ...fulfillContracts(bus, {
      service: "webhooks",
      pools: pools.path,
      log,
      consumers: [
        ...[recordCollections(recording), recordAttachments(recording), recordReversals(recording)],
        recordTransfers(recording),
      ],
      requests: eachMode((mode) => {
        const [pool, lists] = [pools.requests[mode], pools.lists[mode]];
        return [
          ...webhookEndpointRequests({ pool, secrets, challengers, urls }),
          ...eventRequests({ pool, lists, bus, standings, recording }),
          ...eventsByKey({ pool, lists, epochs }),
          ...testClockRequests({ pool, sender }),
          ...deliveryRequests({ pool: lists }),
          ...holdRequests({ pool, lists, epochs }),
          ...simulatedResponseRequests({ pool }),
          ...endpointChangeRequests({ pool: workers }),
          ...replayRequests({ pool, lists, epochs }),
          ...signingSecretRequests({ pool, lists, secrets }),
          ...secretRequests({ pool: workers, secrets, log }),
          ...auditRequests({ pool: workers }),
          ...erasureRequests({ pool: workers, epochs }),
          ...recoveryRequests({ pool: workers, epochs }),
          ...epochs.requests,
        ];
      }),
    }),
  ];
}

/** A merchant's responses are kept for a while, and challenges and simulated responses for a month. */
const retentionOf = ({ RESPONSE_DAYS = 30 }: Deps["config"]): Retention[] => [
  { name: "responses", days: RESPONSE_DAYS, remove: forgetResponses },
  { name: "challenges", days: 30, remove: deleteChallenges },
  { name: "simulated responses", days: 30, remove: deleteSimulatedResponses },
];

function urlRules({ ALLOW_PRIVATE_URLS, CONFIRM_PRIVATE_URLS, WEBHOOK_PORTS }: Deps["config"]): UrlRules {
  return {
    allowPrivateUrls: ALLOW_PRIVATE_URLS,
    confirmPrivateUrls: CONFIRM_PRIVATE_URLS ?? false,
    ports: WEBHOOK_PORTS ?? [443, 8443],
  };
}
