import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  type collectionRecorded,
  type collectionSucceeded,
  type Fact,
  setWebhookEndpoint,
  type transferCompleted,
} from "@collect/contracts";
import { createPool, type Pool } from "@collect/database";
import { KeyringKeys } from "@collect/runtime";
import {
  aMerchant,
  aTransfer,
  openWorld,
  poolsOf,
  randomId,
  startComponents,
  startReceiver,
  until,
  useWorld,
  type WebhookReceiver,
  type World,
} from "@collect/testing";
import { afterAll, onTestFinished } from "vitest";
import { createApp } from "../src/app.ts";
import type { QueueCapacity } from "../src/store/claiming.ts";
import { createClaims } from "../src/workers/claims.ts";
import type { Sending } from "../src/workers/sender.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));

/** No jitter and no delays: tests wait for conditions, not for a schedule. */
export const AT_ONCE: Partial<Sending> = {
  schedule: { delaysMs: [0, 0, 0], jitter: 0, retryAfterMaxMs: 86_400_000 },
  pollMs: 20,
  unopenedPauseMs: 0,
};

/** The setting of the same name, the same for all replicas. */
export const KEYRING = aKeyringKey("k1");
export function aKeyringKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

const SERVICE = { service: "webhooks", directory } as const;
export const openWebhooks = () => openWorld(SERVICE);
export const useWebhooksWorld = () => useWorld(SERVICE);

/** A world with one replica, for the whole test file. */
export async function useWebhooks(sending?: Partial<Sending>): Promise<World> {
  const world = await useWebhooksWorld();
  afterAll(await startWebhooks(world, sending));
  return world;
}

export type Replicas = { start(sending?: Partial<Sending>): Promise<void>; stop(): Promise<void> };

/** A world, a merchant's server and no replica yet, for one test. */
export async function openForOneTest(): Promise<{ world: World; receiver: WebhookReceiver; replicas: Replicas }> {
  const [world, receiver] = await Promise.all([openWebhooks(), startReceiver()]);
  const stops: (() => Promise<void>)[] = [];
  const replicas: Replicas = {
    start: async (sending) => void stops.push(await startWebhooks(world, sending)),
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
  };
  onTestFinished(async () => {
    // First, so that nothing waits for a response that a test withholds.
    await receiver.stop();
    await replicas.stop();
    await world.close();
  });
  return { world, receiver, replicas };
}

export function configOf({
  keyring = KEYRING,
  isSealing = true,
  allowPrivateUrls = true,
  confirmPrivateUrls = false,
} = {}) {
  return {
    ALLOW_PRIVATE_URLS: allowPrivateUrls,
    CONFIRM_PRIVATE_URLS: confirmPrivateUrls,
    KEYRING: KeyringKeys.parse(keyring),
    SEAL_SECRETS: isSealing,
  };
}

/** A replica of the service, with its own database connections. */
export async function startWebhooks(
  world: World,
  sending: Partial<Sending> = AT_ONCE,
  settings: Parameters<typeof configOf>[0] = {},
): Promise<() => Promise<void>> {
  const pool = createPool({ url: world.database.service, service: "webhooks", log: world.log });
  const stop = await startComponents(
    createApp({ config: configOf(settings), pools: poolsOf(pool), bus: world.bus, log: world.log, sending }),
  );
  return async () => {
    await stop();
    await pool.end();
  };
}

/** The first claim of a process, in test mode: it looks everywhere. */
export const claimDue = (pool: Pool, { queues = [], otherFree }: { queues?: QueueCapacity[]; otherFree: number }) =>
  createClaims({ pool, mode: "test", leaseMs: 60_000, pollMs: 1_000 })({ queues, otherFree });

export type Collection = Fact<typeof collectionSucceeded>;
export type Recorded = Fact<typeof collectionRecorded>;

/** A collection as payments publishes it: 10,000.00 naira, 1 % fee. */
export function aCollection(given: Partial<Collection> = {}): Collection {
  const { fundedBy: _, ...intake } = aTransfer();
  return {
    ...intake,
    fee: 10_000n,
    net: 990_000n,
    reference: `col_${intake.intakeId}`,
    paymentReference: null,
    merchantReference: null,
    postedAt: "2026-11-21T09:30:02.000+00:00",
    ...given,
  };
}

export type CompletedTransfer = Fact<typeof transferCompleted>;

/** A completed transfer as payments publishes it: 2,500.73 naira, successful. */
export function aCompletedTransfer(given: Partial<CompletedTransfer> = {}): CompletedTransfer {
  const { reference = randomId("trf"), status = "success" } = given;
  const failed = status === "failed";
  return {
    merchant: aMerchant(),
    merchantReference: `payout-${reference}`,
    amount: 250_073n,
    fee: 0n,
    currency: "NGN",
    bankCode: "044",
    bankName: "Access Bank",
    accountNumber: "0123456789",
    accountName: "Chidi Eze",
    narration: null,
    failureCode: failed ? "beneficiary_refused" : null,
    failureReason: failed ? "The beneficiary's bank refused the transfer." : null,
    createdAt: "2026-11-21T09:30:00.000+00:00",
    completedAt: "2026-11-21T09:31:00.000+00:00",
    ...given,
    reference,
    status,
    key: `${reference}:${status}`,
  };
}

export function setUrl(world: World, merchant: Collection["merchant"], url: string | null) {
  return world.others.request(setWebhookEndpoint, { merchant, url });
}

export type DeliveryRow = { number: bigint; url: string; status: string; attempts: number; last_status: number | null };

export async function deliveriesOf(world: World, merchant: Collection["merchant"]): Promise<DeliveryRow[]> {
  const { rows } = await world.owner.query<DeliveryRow>(
    "select number, url, status, attempts, last_status from deliveries where merchant_id = $1 and mode = $2 order by sequence, number",
    [merchant.id, merchant.mode],
  );
  return rows;
}

type AttemptRow = { attempt: number; status: number | null; error: string | null; response: string | null };

export async function attemptsOf(world: World, merchant: Collection["merchant"]): Promise<AttemptRow[]> {
  const { rows } = await world.owner.query<AttemptRow>(
    `select a.attempt, a.status, a.error, a.response from attempts a join deliveries d on d.number = a.delivery_number
     where d.merchant_id = $1 and d.mode = $2 order by d.sequence, a.delivery_number, a.attempt`,
    [merchant.id, merchant.mode],
  );
  return rows;
}

/** Waits until the merchant's deliveries have these statuses, in the order of their events. */
export function untilStatuses(world: World, merchant: Collection["merchant"], ...statuses: string[]) {
  return until(`deliveries are ${statuses}`, async () => {
    const rows = await deliveriesOf(world, merchant);
    return rows.map(({ status }) => status).join() === statuses.join() && rows;
  });
}
