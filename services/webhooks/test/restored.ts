import { answer, serveRequests } from "@collect/bus";
import {
  confirmEpoch,
  eraseAgain,
  getRecovery,
  getWebhookHealth,
  instantOf,
  listRecordedCollections,
  listTransferEvents,
  listWebhookActs,
  type MerchantScope,
  Problem,
  pauseWebhookEndpoint,
  readCollectionFacts,
  resumeWebhookEndpoint,
  type WireResult,
} from "@collect/contracts";
import { aMerchant, until, type World } from "@collect/testing";
import { onTestFinished } from "vitest";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import { endedAs, recordedEvents } from "./history.ts";
import { aCollection, type Collection } from "./service.ts";

export type Act = WireResult<typeof listWebhookActs>["rows"][number];

/** As long ago as the restored database was confirmed for the last time. */
const LOST_MS = 3_600_000;
const EPOCH = 1_000;
/** Each endpoint has one event in the backup, and lost the next one. */
const LOST_SEQUENCE = 2;
const LOST_NUMBERS_FROM = 5_000;

type Known = {
  lost: (Collection & { deliveryNumber: number })[];
  acts: Act[];
  /** What the gateway was asked. */
  read: { since: string; after: string | undefined }[];
  gateway: { isAway: boolean; pageRows: number };
};

/**
 * A database restored to an hour ago, which no process has opened since, and the others: accounts and payments know the events that
 * were lost, and the gateway what was done with endpoints since then.
 */
export async function openRestored(world: World) {
  const known: Known = { lost: [], acts: [], read: [], gateway: { isAway: false, pageRows: 200 } };
  const { lost, acts } = known;
  await playOthers(world, known);
  const confirmed = instantOf(new Date(Date.now() - LOST_MS));
  await world.owner.query(
    `insert into epochs (service, epoch, confirmed_at) values
       ('webhooks', 1, null), ('accounts', 1, $1), ('ledger', 1, $1), ('payments', 1, $1)`,
    [confirmed],
  );
  await world.others.request(confirmEpoch.accounts, { service: "webhooks", epoch: EPOCH });

  return {
    ...known,
    /** An endpoint with this URL in the backup, an event that waits there for its retry, and one that was lost. */
    async endpoint(url: string | null): Promise<MerchantScope> {
      const merchant = aMerchant();
      await setEndpoint(world.pool, { merchant, url, secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
      await recordedEvents(world, merchant, 1);
      if (url === null) await endedAs(world, merchant, "superseded");
      await world.owner.query(
        "update deliveries set claimed = false, next_attempt_at = now() where merchant_id = $1 and status = 'pending'",
        [merchant.id],
      );
      lost.push({ ...aCollection({ merchant }), deliveryNumber: LOST_NUMBERS_FROM + lost.length });
      return merchant;
    },
    changed({ id, mode }: MerchantScope, action: string): Act {
      const act = { merchant_id: id, mode, action: `webhook.${action}`, at: instantOf(new Date(Date.now() - 60_000)) };
      acts.push(act);
      return act;
    },
    recovery: async () => (await world.others.request(getRecovery.webhooks, {})).recovery,
    caughtUp: () =>
      until("it has caught up", async () => {
        const { is_current, recovery } = await world.others.request(getRecovery.webhooks, {});
        return is_current && recovery !== null && recovery.finished_at !== null;
      }),
    holdOf: async (merchant: MerchantScope) => (await world.others.request(getWebhookHealth, { merchant })).hold,
    pause: (merchant: MerchantScope) => world.others.request(pauseWebhookEndpoint, { merchant }),
    resume: (merchant: MerchantScope) => world.others.request(resumeWebhookEndpoint, { merchant }),
  };
}

async function playOthers(world: World, { lost, acts, read, gateway }: Known): Promise<void> {
  const requests = [
    answer(listWebhookActs, async ({ since, after }) => {
      read.push({ since, after: after?.key });
      if (gateway.isAway) throw new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.");
      const from = after ? Number(after.key) : 0;
      const rows = acts.slice(from, from + gateway.pageRows);
      const last = from + rows.length < acts.length ? rows.at(-1) : undefined;
      return { rows, next: last ? { at: last.at, key: String(from + rows.length) } : null };
    }),
    answer(listRecordedCollections, async () => ({
      rows: lost.map(({ intakeId: intake_id, deliveryNumber: delivery_number, postedAt: recorded_at }) => ({
        ...{ intake_id, sequence: LOST_SEQUENCE, delivery_number, recorded_at },
      })),
      next: null,
    })),
    answer(readCollectionFacts, async ({ intake_ids }) => ({
      collections: lost.filter(({ intakeId }) => intake_ids.includes(intakeId)),
    })),
    answer(listTransferEvents, async () => ({ rows: [], next: null })),
    answer(eraseAgain, async () => ({ repeated: 0 })),
  ];
  for (const service of ["gateway", "accounts", "payments"] as const) {
    const own = requests.filter(({ contract }) => contract.to === service);
    const served = serveRequests(world.others, { service, log: world.log, requests: own });
    await served.start();
    onTestFinished(served.stop);
  }
}
