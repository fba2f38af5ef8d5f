import { partitionOf } from "@collect/bus";
import { collectionPosted, collectionRecorded, collectionSucceeded, transferReceived } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { type Replica, type Stack, startStack, type TestMerchant } from "../stack.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const RAISED = 4;
const EVENTS = [transferReceived, collectionPosted, collectionSucceeded, collectionRecorded];
const ALL = new Set(EVENTS.map(({ subject }) => subject));
const NONE = new Set<string>();
const PART_NAIRA = 100;

test("replicas with one partition and with four, side by side, lose, double and renumber nothing, on the way up and back", async () => {
  const bank = withEveryDoor();
  // So many merchants that some are in another partition than the first.
  const traffic = await openTraffic(bank, { merchants: 8, perSecond: 60 });
  const published = watchPublished();
  const first = EVENTS.map(({ from }) => stack.service(from));
  const second: Replica[] = [];
  const addSecond = async () =>
    void second.push(...(await Promise.all(first.map((service) => service.addReplica({ env: partitions(RAISED) })))));
  const steps = [
    { change: addSecond, former: ALL, raised: ALL },
    { change: () => restart(first, RAISED), former: NONE, raised: ALL },
    { change: () => restart(second, 1), former: ALL, raised: ALL },
    { change: () => restart(first, 1), former: ALL, raised: NONE },
  ];
  const session = await openSession(bank, { parts: steps.length });

  await traffic.flowUntil(
    (async () => {
      for (const { change, former, raised } of steps) {
        await Promise.all([change(), session.payPart()]);
        await published.reset();
        await until(
          "every event is published as expected",
          () => published.former.size >= former.size && published.raised.size >= raised.size,
        );
        expect({ former: published.former, raised: published.raised }).toEqual({ former, raised });
      }
    })(),
  );
  expect(published.elsewhere).toEqual(NONE);
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
  await session.provePaid();
}, 120_000);

const partitions = (count: number) => ({ NATS_PARTITIONS: String(count) });

const restart = (replicas: Replica[], count: number) =>
  Promise.all(replicas.map((replica) => replica.restart({ env: partitions(count) })));

/** A bank that reports to every replica in turn. */
function withEveryDoor(): Stack {
  const doors = stack.service("accounts").replicas;
  let reports = 0;
  return {
    ...stack,
    get bankDoor() {
      return { ...stack.bankDoor, url: doors[reports++ % doors.length]?.url ?? "" };
    },
  };
}

/**
 * The events of the path with facts that the former number puts into the first partition and the raised one into another: in
 * which of the two ways they were published since the last reset.
 */
function watchPublished() {
  const [former, raised, elsewhere] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { subject } of EVENTS)
    stack.bus.nats.subscribe(`${subject}.live.*`, {
      callback(_error, message) {
        const published = Number(message.subject.split(".").at(-1));
        for (const { merchant } of message.json<{ merchant: { id: string } }[]>()) {
          const wanted = partitionOf(merchant.id, RAISED);
          if (wanted === 0) continue;
          if (published === 0) former.add(subject);
          else if (published === wanted) raised.add(subject);
          else elsewhere.add(message.subject);
        }
      },
    });
  return {
    former,
    raised,
    elsewhere,
    async reset() {
      await stack.bus.flush();
      former.clear();
      raised.clear();
    },
  };
}

/** A session that is paid in parts, so that each step changes its version. */
async function openSession(bank: Stack, { parts }: { parts: number }) {
  const merchant = await merchantElsewhere();
  const { body: session } = await client(stack.baseUrl, merchant.keys.sk_live).post("/payments", {
    amount: PART_NAIRA * parts,
    reference: "in parts",
    customer_reference: "cust_1",
    customer_name: "Ada Obi",
  });
  const account_number = String(session.account_number);
  let paid = 0;
  const version = async (service: "payments" | "checkout", table: string) => {
    const { rows } = await stack
      .database(service)
      .query(`select version from ${table} where reference = $1`, [session.reference]);
    return Number(rows[0]?.version);
  };
  return {
    async payPart() {
      paid += 1;
      const amount =
        paid < parts ? PART_NAIRA : Math.round(Number(session.amount) * 100 - (parts - 1) * PART_NAIRA * 100) / 100;
      const transfer = aBankTransfer({ account_number, amount });
      await until("the part is accepted", () =>
        reportTransfer(bank.bankDoor, transfer).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    },
    async provePaid() {
      const received = await merchant.untilReceived("live", parts);
      expect(new Set(received.map(({ headers }) => headers["x-service-sequence"])).size).toBe(parts);
      const { body } = await client(stack.checkoutUrl).get(`/checkout/${session.reference}`);
      expect(body).toMatchObject({ status: "paid" });
      const last = await version("payments", "sessions");
      expect(last).toBeGreaterThan(parts);
      expect(await version("checkout", "session_views")).toBe(last);
    },
  };
}

/** One whose facts are in another partition than the first, once there are more. */
async function merchantElsewhere(): Promise<TestMerchant> {
  const merchant = await stack.createMerchant();
  return partitionOf(merchant.id, RAISED) > 0 ? merchant : merchantElsewhere();
}
