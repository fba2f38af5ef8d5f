import { answer, type Consumer, CURRENT_EPOCHS, RetryLater, serveRequests } from "@collect/bus";
import { collectionSucceeded, type Fact, readDecisions, redriveTransfers, type WireResult } from "@collect/contracts";
import { expect, test } from "vitest";
import { COLLECTIONS, UNDECIDED } from "../../src/inbound/domain/decided.ts";
import { collectionReference } from "../../src/inbound/domain/reference.ts";
import { acceptCollections } from "../../src/inbound/handlers/collections.ts";
import { clearUndecided, countSeen, undecidedSpans } from "../../src/inbound/store/undecided-collections.ts";
import { decideUndecided } from "../../src/inbound/workers/undecided.ts";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPayment,
  kobo,
  type Posted,
  rowOf,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions({ expiring: { everyMs: 3_600_000 } });

/** What webhooks has recorded, and the collections that accounts drives again. */
const recorded = new Map<string, WireResult<typeof readDecisions>["decisions"][number]>();
let step: string | undefined;
let driven: Posted[] = [];
const redrives: { mode: string | undefined; from: string; to: string }[] = [];
const decisions = answer(readDecisions, async ({ intake_ids }) => ({
  decisions: intake_ids.flatMap((id) => recorded.get(id) ?? []),
}));
const redrive = answer(redriveTransfers, async ({ mode, from, to }) => {
  redrives.push({ mode, from, to });
  await handle(driven);
  return { redrives: [] };
});
await serveRequests(world.others, { service: "webhooks", log: world.log, requests: [decisions] }).start();
await serveRequests(world.others, { service: "accounts", log: world.log, requests: [redrive] }).start();

const epochs = { ...CURRENT_EPOCHS, isCurrent: () => step === undefined, recoveryStep: () => step };
const consumer = acceptCollections({
  pools: { live: world.pool, test: world.pool },
  bus: world.bus,
  epochs,
  toleranceMs: 120_000,
});

type Succeeded = Fact<typeof collectionSucceeded>;
async function handle(posted: Posted[]): Promise<Succeeded[]> {
  const succeeded: Succeeded[] = [];
  const outgoing = {
    publish: (event: unknown, facts: Succeeded[]) => event === collectionSucceeded && succeeded.push(...facts),
    afterwards: () => {},
  };
  await consumer.handle(world.pool, outgoing as unknown as Parameters<Consumer["handle"]>[1], posted);
  return succeeded;
}

function record(
  { intakeId }: Posted,
  { reference, paymentReference }: { reference: string; paymentReference: string },
) {
  const rest = { merchant_reference: null, customer_name: "Ada Obi", metadata: {} };
  recorded.set(intakeId, { intake_id: intakeId, reference, payment_reference: paymentReference, ...rest });
}

const progress = {
  step: async (name: string) => {
    step = name;
  },
  waitsFor: () => {},
  signal: new AbortController().signal,
};

const span = { from: "2020-01-01T00:00:00+00:00", to: "2100-01-01T00:00:00+00:00" };
const seen = async () => (await countSeen(world.pool, span)).reduce((sum, { count }) => sum + count, 0);

test.each([
  { what: "the rest", afterS: 2 },
  { what: "the rest, after the time was up", afterS: 1_900 },
  { what: "the whole amount again", afterS: 3 },
])("new money, $what, waits until what is lost of its session is repeated", async ({ what, afterS }) => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const { reference } = session;
  const due = kobo(session.amount);
  const isAgain = what === "the whole amount again";
  const lost = aCollectionFor(session, merchant, { amount: isAgain ? due : 100_000n });
  const added = aCollectionFor(session, merchant, { amount: isAgain ? due : due - 100_000n, afterS });
  record(lost, { reference, paymentReference: reference });

  await clearUndecided(world.pool);
  const before = await seen();
  step = COLLECTIONS;
  for (let times = 0; times < 2; times++) expect(await handle([added])).toEqual([]);
  expect(await rowOf(world, reference)).toMatchObject({ status: "pending", amount_received: 0n });
  expect(await seen()).toBe(before + 1);
  expect(await handle([added, lost])).toMatchObject([
    { intakeId: lost.intakeId, reference, paymentReference: reference },
  ]);
  expect(await seen()).toBe(before + 2);

  driven = [added];
  redrives.length = 0;
  expect(await decideUndecided({ pool: world.pool, bus: world.bus }, progress)).toBe(true);
  const { receivedAt } = added;
  expect(redrives).toEqual([{ mode: "test", from: receivedAt, to: expect.any(String) }]);
  expect(await seen()).toBe(before + 2);
  const received = isAgain ? 2n * due : due;
  expect(await rowOf(world, reference)).toMatchObject({ status: "paid", amount_received: received });
  step = undefined;
  const [again] = await handle([added]);
  expect(again).toMatchObject({ reference: collectionReference(added.intakeId), paymentReference: reference });
  expect(await decideUndecided({ pool: world.pool, bus: world.bus }, progress)).toBe(false);
});

test("of two consumers, one that still believes in the former step loses nothing", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const added = aCollectionFor(session, merchant);
  await clearUndecided(world.pool);
  step = UNDECIDED;
  const [first] = await handle([added]);
  expect(first).toMatchObject({ reference: session.reference });
  // It is stored, so that it is a repeat in any step.
  step = COLLECTIONS;
  expect(await handle([added])).toEqual([first]);
  expect(await decideUndecided({ pool: world.pool, bus: world.bus }, progress)).toBe(false);
});

test("money that was allocated after months has only its own hour driven, and not all that was received in between", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const at = (receivedAt: string) => ({ ...aCollectionFor(session, merchant), paidAt: receivedAt, receivedAt });
  await clearUndecided(world.pool);
  step = COLLECTIONS;
  await handle([at("2026-11-02T10:30:00.000Z"), at("2026-08-01T10:00:00.000Z"), at("2026-11-02T10:00:00.000Z")]);
  const spans = await undecidedSpans(world.pool);
  expect(spans.map(({ count, from }) => [count, new Date(from).toISOString()])).toEqual([
    [1, "2026-08-01T10:00:00.000Z"],
    [2, "2026-11-02T10:00:00.000Z"],
  ]);
  await clearUndecided(world.pool);
});

test("in every other step collections are retried until it is over", async () => {
  const merchant = aShop();
  const added = aCollectionFor(await createPayment(world, merchant), merchant);
  step = "attachments";
  // As createEpochs does.
  epochs.holdUntilCurrent = () => {
    throw new RetryLater("not yet");
  };
  await expect(handle([added])).rejects.toBeInstanceOf(RetryLater);
  epochs.holdUntilCurrent = () => {};
});
