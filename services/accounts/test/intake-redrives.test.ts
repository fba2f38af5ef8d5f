import {
  allocateTransfer,
  collectionRecorded,
  getRedrives,
  Problem,
  redriveTransfers,
  suspensePosted,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { aLiveAccount, factsOf, rowOf, unallocated, useIntakeWorld, world } from "./intake-world.ts";
import { aReport, report } from "./world.ts";

await useIntakeWorld();

describe("unallocated money", () => {
  test("is booked to suspense, allocated by the operator, and then takes the same path", async () => {
    const { merchant, accountNumber } = await aLiveAccount();
    const transfer = aReport("9876543210");
    expect((await report(world, transfer)).body.status).toBe("unallocated");
    const { intake_id: intakeId, received_at } = await rowOf(transfer.id);
    await until("published", () => unallocated.all.some((fact) => fact.intakeId === intakeId));

    const allocate = () =>
      world.others.request(allocateTransfer, {
        intake_id: intakeId,
        merchant: { id: merchant.id, mode: "live" },
        customer_reference: "cust_42",
      });
    const early = await allocate().catch((error) => error);
    expect(early).toBeInstanceOf(Problem);
    expect(early.code).toBe("conflict");

    await world.others.publish(suspensePosted, [
      { intakeId, mode: "live", amount: 250_073n, transactionId: "1", postedAt: received_at },
    ]);
    await until("completed", async () => (await rowOf(transfer.id)).completed_at);
    expect(await allocate()).toEqual({ intake_id: intakeId, allocated: true });
    const [fact] = await until("published with its owner", () => factsOf(intakeId).length > 0 && factsOf(intakeId));
    expect(fact).toMatchObject({
      fundedBy: "suspense",
      merchant: { id: merchant.id },
      amount: 250_073n,
      accountNumber: "9876543210",
    });
    expect(accountNumber).not.toBe("9876543210");
    expect((await allocate().catch((error) => error)).code).toBe("conflict");
    expect((await rowOf(transfer.id)).completed_at).toBeNull();
  });
});

describe("until the event is recorded", () => {
  const dueNow = (intakeId: string) =>
    world.owner.query("update inbound_transfers set drive_at = now() where intake_id = $1", [intakeId]);

  test("a transfer is redriven with the identical fact until it is completed", async () => {
    const { merchant, accountNumber } = await aLiveAccount();
    const transfer = aReport(accountNumber);
    await report(world, transfer);
    const { intake_id: intakeId } = await rowOf(transfer.id);
    await until("published", () => factsOf(intakeId).length === 1);
    await dueNow(intakeId);
    await until("redriven", () => factsOf(intakeId).length === 2);
    expect(factsOf(intakeId)[1]).toEqual(factsOf(intakeId)[0]);
    // Once it is published.
    await until("counted", async () => (await rowOf(transfer.id)).drives === 1);

    const recorded = {
      intakeId,
      merchant: { id: merchant.id, mode: "live" as const },
      reference: "col_x",
      sequence: 7,
      deliveryNumber: 9,
      recordedAt: "2026-11-21T09:30:02.000+00:00",
    };
    await world.others.publish(collectionRecorded, [recorded]);
    await until("completed", async () => (await rowOf(transfer.id)).completed_at);
    const completed = await rowOf(transfer.id);
    expect(completed).toMatchObject({ reference: "col_x", sequence: 7n, delivery_number: 9n });
    await world.others.publish(collectionRecorded, [recorded]);
    await dueNow(intakeId);
    const later = aReport(accountNumber);
    await report(world, later);
    const laterRow = await rowOf(later.id);
    await dueNow(laterRow.intake_id);
    await until("the sweep has run", () => factsOf(laterRow.intake_id).length === 2);
    expect(factsOf(intakeId)).toHaveLength(2);
  });

  test("a range can be redriven by the operator, including completed transfers", async () => {
    const { merchant, accountNumber } = await aLiveAccount();
    const transfers = [aReport(accountNumber), aReport(accountNumber), aReport(accountNumber)];
    for (const transfer of transfers) await report(world, transfer);
    const rows = await Promise.all(transfers.map(({ id }) => rowOf(id)));
    for (const { intake_id } of rows) await until("published", () => factsOf(intake_id).length === 1);
    const [first] = rows;
    await world.others.publish(collectionRecorded, [
      {
        intakeId: first.intake_id,
        merchant: { id: merchant.id, mode: "live" },
        reference: "col_y",
        sequence: 1,
        deliveryNumber: null,
        recordedAt: first.received_at,
      },
    ]);
    await until("completed", async () => (await rowOf(transfers[0]?.id ?? "")).completed_at);
    const range = { from: first.received_at, to: "2100-01-01T00:00:00.000+00:00" };
    const { redrives } = await world.others.request(redriveTransfers, range);
    const ids = redrives.map(({ id }) => id);
    expect(redrives.map(({ mode }) => mode)).toEqual(["test", "live"]);
    const ended = await until("both modes are finished", async () => {
      const progress = (await world.others.request(getRedrives, { ids })).redrives;
      return progress.every(({ finished_at }) => finished_at !== null) && progress;
    });
    expect(ended.find(({ mode }) => mode === "live")?.redriven).toBeGreaterThanOrEqual(3);
    for (const { intake_id } of rows) await until("redriven", () => factsOf(intake_id).length === 2);
  });
});
