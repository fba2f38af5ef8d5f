import {
  activateSigningSecret,
  collectionSucceeded,
  getWebhookEndpoint,
  getWebhookHealth,
  reencryptSecrets,
  stageSigningSecret,
} from "@collect/contracts";
import { aMerchant, isSigned, startReceiver, until, type World } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { FAILURES_MAX } from "../src/domain/hold.ts";
import {
  AT_ONCE,
  aCollection,
  aKeyringKey,
  attemptsOf,
  deliveriesOf,
  KEYRING,
  openWebhooks,
  setUrl,
  startWebhooks,
  untilStatuses,
} from "./service.ts";

type Merchant = ReturnType<typeof aMerchant>;
type Row = { secret: string; staged_secret: string | null };

async function aWorld(): Promise<World> {
  const world = await openWebhooks();
  onTestFinished(() => world.close());
  return world;
}

/** A replica with this keyring, until the test ends or it is stopped. */
async function start(world: World, options: { keyring?: string; isSealing?: boolean } = {}) {
  let stopped: Promise<void> | undefined;
  const stopReplica = await startWebhooks(world, AT_ONCE, options);
  const stop = () => (stopped ??= stopReplica());
  onTestFinished(stop);
  return stop;
}

async function rowOf(world: World, { id, mode }: Merchant): Promise<Row> {
  const { rows } = await world.owner.query<Row>(
    "select secret, staged_secret from endpoints where merchant_id = $1 and mode = $2",
    [id, mode],
  );
  return rows[0] ?? { secret: "", staged_secret: null };
}

const endpointOf = (world: World, merchant: Merchant) => world.others.request(getWebhookEndpoint, { merchant });
const reencrypt = (world: World) => world.others.request(reencryptSecrets.webhooks, { after: null });

/** Sends an event to a new receiver, and returns what came. */
async function deliver(world: World, merchant: Merchant) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await setUrl(world, merchant, `${receiver.url}/hooks`);
  await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
  return until("the event has come", async () => receiver.received[0]);
}

test("the database holds no secret in clear, and every door and signature has the right one", async () => {
  const world = await aWorld();
  await start(world);
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, null);
  const { staged_secret } = await world.others.request(stageSigningSecret, { merchant });
  const row = await rowOf(world, merchant);
  expect(row).toEqual({
    secret: expect.stringMatching(/^sealed:k1:/),
    staged_secret: expect.stringMatching(/^sealed:k1:/),
  });
  expect(await endpointOf(world, merchant)).toMatchObject({ secret, staged_secret });
  expect(isSigned(await deliver(world, merchant), secret)).toBe(true);
  expect(await world.others.request(activateSigningSecret, { merchant })).toEqual({ secret: staged_secret });
  const { rows } = await world.owner.query("select to_jsonb(endpoints.*)::text as text from endpoints");
  expect(JSON.stringify(rows)).not.toContain("whsec_");
});

/** The world with a log whose alarms can be read. */
function alarming(world: World) {
  const alarms: { alarm?: string; merchant_id?: string }[] = [];
  const log = Object.assign(Object.create(world.log), { error: (line: object) => void alarms.push(line) });
  const of = ({ id }: Merchant) => alarms.filter(({ alarm, merchant_id }) => alarm === "secret" && merchant_id === id);
  return { alarmsOf: of, alarmed: { ...world, log } };
}

test("a secret that was copied into another merchant's row signs nothing, and is not shown", async () => {
  const world = await aWorld();
  const { alarmed, alarmsOf } = alarming(world);
  await start(alarmed);
  const [victim, attacker] = [aMerchant(), aMerchant()];
  for (const merchant of [victim, attacker]) await setUrl(world, merchant, null);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await setUrl(world, attacker, `${receiver.url}/hooks`);
  const own = await rowOf(world, attacker);
  const assign = (secret: string) =>
    world.owner.query("update endpoints set secret = $2 where merchant_id = $1", [attacker.id, secret]);
  await assign((await rowOf(world, victim)).secret);
  await expect(endpointOf(world, attacker)).rejects.toMatchObject({ code: "internal_error" });
  await world.others.publish(collectionSucceeded, [aCollection({ merchant: attacker })]);
  await until("the alarm is raised", async () => alarmsOf(attacker).length > 0);
  expect(receiver.received).toEqual([]);
  expect(await reencrypt(world)).toMatchObject({ unreadable: [`${attacker.id} ${attacker.mode}`], reencrypted: 0 });
  // Once the row is right again, nothing is lost.
  await assign(own.secret);
  await world.owner.query("update deliveries set next_attempt_at = now() where merchant_id = $1", [attacker.id]);
  await untilStatuses(world, attacker, "delivered");
});

test("a wrong keyring counts against no server: nothing is attempted or held, and all goes out once it is right", async () => {
  const world = await aWorld();
  const { alarmed, alarmsOf } = alarming(world);
  const merchant = aMerchant();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const stopRight = await start(world);
  await setUrl(world, merchant, `${receiver.url}/hooks`);
  await stopRight();
  const stopWrong = await start(alarmed, { keyring: aKeyringKey("k9") });
  const events = 2 * FAILURES_MAX;
  await world.others.publish(
    collectionSucceeded,
    Array.from({ length: events }, () => aCollection({ merchant })),
  );
  await until("each delivery raised the alarm", async () => alarmsOf(merchant).length >= events);
  const untouched = { status: "pending", attempts: 0 };
  const expectNoFailure = async (hold: object | null) => {
    expect(await attemptsOf(world, merchant)).toEqual([]);
    const health = await world.others.request(getWebhookHealth, { merchant });
    expect(health).toMatchObject({ failing: 0, exhausted: 0, hold });
  };
  expect(await deliveriesOf(world, merchant)).toMatchObject(Array(events).fill(untouched));
  await expectNoFailure(null);

  // The probe of an endpoint that was held before.
  const raised = alarmsOf(merchant).length;
  await world.owner.query(
    `with parked as (update deliveries set claimed = false, next_attempt_at = null where merchant_id = $1)
     insert into holds (merchant_id, mode, state, next_batch_at) values ($1, $2, 'held', now())`,
    [merchant.id, merchant.mode],
  );
  await until("the probe raised the alarm", async () => alarmsOf(merchant).length > raised);
  await expectNoFailure({ state: "held" });
  const { rows } = await world.owner.query(
    "select probes, batch::integer, next_batch_at > now() as is_leased from holds where merchant_id = $1",
    [merchant.id],
  );
  expect(rows).toEqual([{ probes: 0, batch: 1, is_leased: true }]);

  await stopWrong();
  await start(world);
  await world.owner.query("update holds set next_batch_at = now() where merchant_id = $1", [merchant.id]);
  await world.owner.query("update deliveries set next_attempt_at = now() where merchant_id = $1 and claimed", [
    merchant.id,
  ]);
  await untilStatuses(world, merchant, ...Array(events).fill("delivered"));
  expect(receiver.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(Array(events).fill("1"));
});

test("secrets in clear, of a former release, go on signing, and are encrypted by the command", async () => {
  const world = await aWorld();
  const stop = await start(world, { isSealing: false });
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, null);
  expect(await rowOf(world, merchant)).toEqual({ secret, staged_secret: null });
  await stop();
  await start(world);
  expect(isSigned(await deliver(world, merchant), secret)).toBe(true);
  expect(await reencrypt(world)).toEqual({ checked: 1, reencrypted: 1, unreadable: [], next: null });
  expect((await rowOf(world, merchant)).secret).toMatch(/^sealed:k1:/);
  expect(await reencrypt(world)).toEqual({ checked: 1, reencrypted: 0, unreadable: [], next: null });
  expect(isSigned(await deliver(world, merchant), secret)).toBe(true);
});

test("a key is replaced while both are in use: replicas with the old and the new order read each other's rows", async () => {
  const world = await aWorld();
  const next = aKeyringKey("k2");
  const stopOld = await start(world, { keyring: `${KEYRING},${next}` });
  const [before, after] = [aMerchant(), aMerchant()];
  const { secret } = await setUrl(world, before, null);
  const stopNew = await start(world, { keyring: `${next},${KEYRING}` });
  await stopOld();
  const { secret: newer } = await setUrl(world, after, null);
  expect((await rowOf(world, after)).secret).toMatch(/^sealed:k2:/);
  expect((await endpointOf(world, before)).secret).toBe(secret);
  expect(await reencrypt(world)).toMatchObject({ checked: 2, reencrypted: 1, unreadable: [] });
  await stopNew();
  // The old key is gone, and nothing needs it.
  await start(world, { keyring: next });
  expect([(await endpointOf(world, before)).secret, (await endpointOf(world, after)).secret]).toEqual([secret, newer]);
  expect(isSigned(await deliver(world, before), secret)).toBe(true);
});

test("the command works through any number of rows in batches, can be run twice at once, and names what it cannot read", async () => {
  const world = await aWorld();
  await start(world);
  await world.owner.query(
    `insert into endpoints (merchant_id, mode, url, secret)
     select 'mer_' || lpad(n::text, 4, '0'), mode, null, 'whsec_' || n || mode from generate_series(1, 225) n, unnest(array['live', 'test']) mode`,
  );
  await world.owner.query(
    "update endpoints set secret = 'sealed:k9:AAAA' where merchant_id = 'mer_0100' and mode = 'live'",
  );
  const run = async () => {
    const batches = [];
    for (let after: string | null = null; ; ) {
      const batch: Awaited<ReturnType<typeof reencrypt>> = await world.others.request(reencryptSecrets.webhooks, {
        after,
      });
      batches.push(batch);
      after = batch.next;
      if (after === null) return batches;
    }
  };
  const runs = await Promise.all([run(), run()]);
  for (const batches of runs) {
    expect(batches.map(({ checked }) => checked)).toEqual([200, 200, 50]);
    expect(batches.flatMap(({ unreadable }) => unreadable)).toEqual(["mer_0100 live"]);
  }
  expect(runs.flat().reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(449);
  const { rows } = await world.owner.query("select count(*)::int as clear from endpoints where secret like 'whsec%'");
  expect(rows).toEqual([{ clear: 0 }]);
  expect((await endpointOf(world, { ...aMerchant(), id: "mer_0225", mode: "test" })).secret).toBe("whsec_225test");
});
