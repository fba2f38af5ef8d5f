import { CURRENT_EPOCHS } from "@collect/bus";
import { createKeyring, KeyringKeys } from "@collect/runtime";
import { aMerchant, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { createMerchantServers } from "../src/adapters/merchant-server.ts";
import { setEndpoint } from "../src/store/webhook-endpoints.ts";
import { createSealedSecrets } from "../src/use-cases/sealed-secrets.ts";
import { jobOf } from "../src/workers/poller.ts";
import { createSender, SENDING } from "../src/workers/sender.ts";
import { recordedEvents } from "./history.ts";
import { AT_ONCE, claimDue, deliveriesOf, KEYRING, untilStatuses, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();

/** An event that is due, and a sender that believes of its database what the test says. */
async function openSender() {
  const receiver = await startReceiver();
  const merchant = aMerchant();
  await setEndpoint(world.pool, { merchant, url: receiver.url, secret: "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV" });
  await recordedEvents(world, merchant, 1);
  await world.owner.query("update deliveries set claimed = false, next_attempt_at = now() where merchant_id = $1", [
    merchant.id,
  ]);
  const database = { isCurrent: true, step: undefined as string | undefined, looks: 0 };
  const epochs = {
    ...CURRENT_EPOCHS,
    isCurrent() {
      database.looks++;
      return database.isCurrent;
    },
    recoveryStep: () => database.step,
  };
  const urls = { allowPrivateUrls: true, confirmPrivateUrls: false, ports: [443] };
  const sender = createSender({
    pools: world.pools.path,
    log: world.log,
    servers: createMerchantServers({ urls, deadlineMs: SENDING.deadlineMs }),
    secrets: createSealedSecrets(createKeyring(KeyringKeys.parse(KEYRING), { isSealing: true })),
    sending: { ...SENDING, ...AT_ONCE },
    epochs,
  });
  onTestFinished(async () => {
    await sender.stop();
    await receiver.stop();
  });
  return { receiver, merchant, database, sender };
}

test("a process whose database may be an earlier one claims and sends nothing that waits, until a peer has confirmed it", async () => {
  const { receiver, merchant, database, sender } = await openSender();
  database.isCurrent = false;
  await sender.start();
  await until("every poller has looked again and again", () => database.looks >= 12);
  const { rows } = await world.owner.query("select claimed from deliveries where merchant_id = $1", [merchant.id]);
  expect([rows, receiver.received]).toEqual([[{ claimed: false }], []]);
  database.isCurrent = true;
  await untilStatuses(world, merchant, "delivered");
});

test("what waits in memory when a restore is noticed is not sent: it was claimed from the earlier database", async () => {
  const { receiver, merchant, database, sender } = await openSender();
  const [due] = await claimDue(world.pool, { otherFree: 1 });
  if (!due) throw new Error("the event is due");
  database.step = "noticed";
  const ended = Promise.withResolvers<unknown>();
  sender.enqueue([{ ...jobOf(due, performance.now() + 60_000), onEnd: ended.resolve }]);
  expect(await ended.promise).toBeUndefined();
  expect(await deliveriesOf(world, merchant)).toMatchObject([{ status: "pending", attempts: 0 }]);
  expect(receiver.received).toEqual([]);
});
