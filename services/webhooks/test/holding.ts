import { collectionSucceeded, getWebhookHealth, type MerchantScope } from "@collect/contracts";
import { aMerchant, startReceiver, until, type WebhookReceiver } from "@collect/testing";
import { beforeEach, expect } from "vitest";
import { aCollection, deliveriesOf, useWebhooks, useWebhooksWorld } from "./service.ts";

/** The first attempt, a probe at once, which finds the results of all others stored, and then only when the test asks for it. */
const HOUR = 3_600_000;
const schedule = { delaysMs: [0, ...Array(14).fill(HOUR)], jitter: 0, retryAfterMaxMs: 2 * HOUR };
export const SENDING = { schedule, pollMs: 20, resultsApartMs: 0 };

/** A hold that ended while all events were in flight begins again, with its first probe by the schedule. */
const PROBE_FIRST = `update holds set next_batch_at = now()
  where merchant_id = $1 and probes = 0 and next_batch_at > now() + interval '1 minute'`;

/** A world, with one replica unless it is opened otherwise, and for each test a merchant and its server. */
export async function useHolding({ running = true } = {}) {
  const world = await (running ? useWebhooks(SENDING) : useWebhooksWorld());
  let current: { merchant: MerchantScope; receiver: WebhookReceiver };

  async function anEndpoint(url: string): Promise<MerchantScope> {
    const merchant = aMerchant();
    await world.owner.query("insert into endpoints (merchant_id, mode, url, secret) values ($1, $2, $3, $4)", [
      ...[merchant.id, merchant.mode, url, "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV"],
    ]);
    return merchant;
  }
  const holdOf = async () => (await world.others.request(getWebhookHealth, { merchant: current.merchant })).hold;
  const pay = (count: number, merchant = current.merchant) =>
    world.others.publish(
      collectionSucceeded,
      Array.from({ length: count }, () => aCollection({ merchant })),
    );
  const fail = () => current.receiver.behave((response) => void response.writeHead(503).end("no"));
  const untilHold = (what: string, is: (hold: Awaited<ReturnType<typeof holdOf>>) => boolean) =>
    until(what, async () => is(await holdOf()));
  const untilProbed = (probes: number) =>
    until(`${probes} probes have failed`, async () => {
      const { rows } = await world.owner.query("select probes from holds where merchant_id = $1", [
        current.merchant.id,
      ]);
      return rows[0]?.probes === probes;
    });

  beforeEach(async () => {
    const receiver = await startReceiver();
    current = { receiver, merchant: await anEndpoint(receiver.url) };
    return receiver.stop;
  });
  return {
    world,
    current: () => current,
    anEndpoint,
    pay,
    fail,
    accept: () => current.receiver.behave((response) => void response.end("ok")),
    holdOf,
    untilHold,
    untilProbed,
    /** An endpoint that is held, after its first probe has failed too, with `count` events. */
    async held(count: number): Promise<void> {
      fail();
      await pay(count);
      await untilHold("it is held", (hold) => hold?.state === "held" && hold.waiting === count);
      await world.owner.query(PROBE_FIRST, [current.merchant.id]);
      await untilProbed(1);
    },
    probeDue: () =>
      world.owner.query("update holds set next_batch_at = now() where merchant_id = $1", [current.merchant.id]),
    rows: () => deliveriesOf(world, current.merchant),
    sequences: (from = 0) => sequencesOf(current.receiver, from),
  };
}

export const sequencesOf = ({ received }: WebhookReceiver, from = 0) =>
  received.slice(from).map(({ headers }) => Number(headers["x-service-sequence"]));

/** In the order of the sequence, but for those that were in one batch; the batches begin with this size. */
export function expectInOrder(got: number[], first = 1): void {
  const ordered = got.toSorted((a, b) => a - b);
  for (let [done, size] = [0, first]; done < got.length; done += size, size = Math.min(size * 2, 256))
    expect(got.slice(done, done + size).toSorted((a, b) => a - b)).toEqual(ordered.slice(done, done + size));
}
