import { once } from "node:events";
import { BankTransfer } from "@collect/bank";
import { describe, expect, test, vi } from "vitest";
import { bankDoor, simulator } from "../simulator.ts";

const rent = { account_number: "0000014579", amount: 2500.73 };
const accepted = { status: 200, body: { id: expect.any(String), status: "accepted" } };

describe("the bank sends a transfer", () => {
  test("signed, in the bank door's format, and reports the door's response", async () => {
    const door = await bankDoor();
    const { transfer } = await simulator({ doorUrl: door.url });
    const [sent] = await transfer(rent);
    expect(sent).toMatchObject({ acknowledged: true, retrying: false, answers: [accepted] });
    expect(door.received).toEqual([sent?.transfer]);
    expect(BankTransfer.parse(door.received[0])).toMatchObject({
      account_number: rent.account_number,
      amount: 250_073n,
      currency: "NGN",
    });
  });

  test("with every field as given", async () => {
    const door = await bankDoor();
    const { transfer } = await simulator({ doorUrl: door.url });
    const given = { ...rent, id: "T1", currency: "USD", narration: "rent", paid_at: "2026-11-21T10:30:00.123+01:00" };
    await transfer({ ...given, payer_name: "Funke Lawal" });
    expect(door.received[0]).toMatchObject({ ...given, payer: { name: "Funke Lawal" } });
  });

  test("with a new id each time unless an id is given", async () => {
    const door = await bankDoor();
    const { transfer } = await simulator({ doorUrl: door.url });
    for (const order of [rent, rent, { ...rent, id: "T1" }, { ...rent, id: "T1", amount: 1 }]) await transfer(order);
    expect(new Set(door.received.map(({ id }) => id)).size).toBe(3);
  });

  test("fifty times concurrently, with the same bytes each time", async () => {
    let release = () => {};
    const allArrived = new Promise<void>((resolve) => {
      release = resolve;
    });
    const door = await bankDoor(async (_request, response) => {
      if (door.received.length === 50) release();
      // No response before all have arrived: only concurrent copies succeed.
      await allArrived;
      response.end("{}");
    });
    const { transfer } = await simulator({ doorUrl: door.url });
    const [sent] = await transfer({ ...rent, times: 50 });
    expect(sent?.answers).toHaveLength(50);
    expect(new Set(door.bodies).size).toBe(1);
  });

  test("late: the report is delayed, the time of payment is not", async () => {
    const door = await bankDoor();
    const { transfer } = await simulator({ doorUrl: door.url });
    const [first, second] = await transfer({
      transfers: [
        { ...rent, id: "slow", delay_ms: 100 },
        { ...rent, id: "quick" },
      ],
      order: "late",
    });
    expect([first?.transfer.id, second?.transfer.id]).toEqual(["quick", "slow"]);
    expect(door.received.map(({ id }) => id)).toEqual(["quick", "slow"]);
    const [quick, slow] = door.received;
    expect(Date.parse(slow?.paid_at ?? "")).toBeLessThanOrEqual(Date.parse(quick?.paid_at ?? ""));
  });

  test("of a list in the given or a shuffled order, each once", async () => {
    const door = await bankDoor();
    const { transfer } = await simulator({ doorUrl: door.url });
    const ids = Array.from({ length: 30 }, (_, index) => `T${index}`);
    const transfers = ids.map((id) => ({ ...rent, id }));
    await transfer({ transfers });
    expect(door.received.splice(0).map(({ id }) => id)).toEqual(ids);
    await transfer({ transfers, order: "shuffled" });
    // One order in 30! is the given one.
    const order = door.received.map(({ id }) => id);
    expect(order).not.toEqual(ids);
    expect(order.toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    { account_number: "1" },
    { amount: 0 },
    { amount: 1.005 },
    { times: 101 },
    { delay_ms: -1 },
    { paid_at: "today" },
  ])("only if it is valid: %j is refused", async (change) => {
    const { control } = await simulator();
    expect(await control("/control/transfers", { ...rent, ...change })).toMatchObject({
      status: 400,
      body: { code: "validation_failed" },
    });
  });
});

test.each(["other_body", "other_key"])(
  "a report with the signature %s is not believed, and of no money",
  async (signature) => {
    const door = await bankDoor();
    const { transfer, url } = await simulator({ doorUrl: door.url });
    const paid_at = new Date(Date.now() - 86_400_000).toISOString();
    expect(await transfer({ ...rent, paid_at, signature })).toMatchObject([
      { acknowledged: false, answers: [{ status: 401 }] },
    ]);
    expect(door.received).toEqual([]);
    expect(await (await fetch(`${url}/control/statement`)).text()).not.toContain(":61:");
  },
);

describe("the control API reports", () => {
  test("a refusal by the door", async () => {
    const door = await bankDoor((_request, response) => void response.writeHead(400).end("no"));
    const { transfer } = await simulator({ doorUrl: door.url });
    expect(await transfer(rent)).toMatchObject([
      { acknowledged: false, retrying: false, answers: [{ status: 400, body: "no" }] },
    ]);
  });

  test("a failed connection", async () => {
    const door = await bankDoor();
    await door.close();
    const { transfer } = await simulator({ doorUrl: door.url });
    expect(await transfer(rent)).toMatchObject([
      { acknowledged: false, retrying: false, answers: [{ error: "ECONNREFUSED" }] },
    ]);
  });

  test("sent transfers, newest first", async () => {
    const door = await bankDoor();
    const { transfer, sent } = await simulator({ doorUrl: door.url });
    for (const id of ["T1", "T2"]) await transfer({ ...rent, id });
    expect(await sent()).toMatchObject([
      { transfer: { id: "T2" } },
      { transfer: { id: "T1" }, acknowledged: true, answers: [accepted] },
    ]);
  });

  test("only the last thousand", async () => {
    const door = await bankDoor();
    const { transfer, sent } = await simulator({ doorUrl: door.url });
    const transfers = Array.from({ length: 1_000 }, (_, index) => ({ ...rent, id: `T${index}` }));
    await transfer({ transfers });
    await transfer({ ...rent, id: "T1000" });
    const kept = (await sent()).map(({ transfer: { id } }) => id);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, "T1000", "T1"]);
  }, 30_000);
});

describe("a transfer with retries", () => {
  test("is retried with the same bytes until the door answers with 200", async () => {
    const statuses = [503, 401, 202];
    const door = await bankDoor((_request, response) => void response.writeHead(statuses.shift() ?? 200).end());
    const { transfer, sent } = await simulator({ doorUrl: door.url });
    expect(await transfer({ ...rent, retry: true })).toMatchObject([
      { acknowledged: false, retrying: true, answers: [{ status: 503 }] },
    ]);
    await vi.waitFor(async () => expect(await sent()).toMatchObject([{ acknowledged: true, retrying: false }]), {
      timeout: 10_000,
      interval: 20,
    });
    expect((await sent())[0]?.answers.map((answer) => "status" in answer && answer.status)).toEqual([
      503, 401, 202, 200,
    ]);
    expect(door.bodies).toHaveLength(4);
    expect(new Set(door.bodies).size).toBe(1);
  });

  test("is delivered to a door that was down", async () => {
    const down = await bankDoor();
    await down.close();
    const { transfer } = await simulator({ doorUrl: down.url });
    const [sent] = await transfer({ ...rent, retry: true });
    const up = await bankDoor(undefined, Number(new URL(down.url).port));
    if (up.received.length === 0) await once(up.server, "transfer");
    expect(up.received).toEqual([sent?.transfer]);
  });

  test("does not delay the bank's shutdown", async () => {
    const door = await bankDoor((_request, response) => void response.writeHead(503).end());
    const { transfer, stop } = await simulator({ doorUrl: door.url });
    expect(await transfer({ ...rent, retry: true })).toMatchObject([{ retrying: true }]);
    await stop();
  });
});

test("a transfer that hangs at the door does not delay the bank's shutdown", async () => {
  const door = await bankDoor(() => {});
  const { transfer, stop } = await simulator({ doorUrl: door.url });
  const arrived = once(door.server, "transfer");
  const pending = expect(transfer(rent)).rejects.toThrow();
  await arrived;
  await stop();
  await pending;
});
