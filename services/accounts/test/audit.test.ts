import { IN_FLIGHT_MAX } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import {
  differencesAt,
  type HeldRow,
  held,
  heldBy,
  lose,
  minuteAgo,
  nextProof,
  partOf,
  proof,
  received,
  SERVICES,
  useAuditWorld,
  wire,
  world,
} from "./audit-world.ts";

await useAuditWorld();

describe("the records of every service", () => {
  test("are proven when all agree with the intake, and each part states its span and age", async () => {
    await received({ receivedAt: minuteAgo(20) });
    const proven = await nextProof();
    expect(proven.differences.filter(({ minute }) => minute === wire(minuteAgo(20)))).toEqual([]);
    for (const name of ["recent money in", "history"]) {
      const { age_s, max_age_s, to } = partOf(proven, name);
      expect([name, (age_s ?? 1_000) <= max_age_s, to]).toEqual([name, true, expect.stringMatching(/^\d{4}-/)]);
    }
    expect(partOf(proven, "recent money in").age_s).toBeLessThan(20);
  });

  test("are compared seconds after receipt, without waiting for the walk", async () => {
    const row = await received({ receivedAt: new Date(Date.now() - 3_000) });
    lose("payments", row);
    const named = (await until("it is found", async () => {
      const { differences } = await proof();
      return differences.find(({ transfers }) => transfers.some(({ intake_id }) => intake_id === row.intake_id));
    })) as { transfers: object[] };
    expect(named.transfers).toEqual([
      { intake_id: row.intake_id, merchant_id: "mer_1", what: ["payments does not hold it"] },
    ]);
    held.payments.push(row);
    await until("it is repaired", async () => (await proof()).differences.length === 0);
  });

  test("differ in a minute where one service disagrees, until it agrees", async () => {
    const minute = minuteAgo(21);
    const [one, other] = [await received({ receivedAt: minute }), await received({ receivedAt: minute, amount: 200n })];
    heldBy("payments", one).amount = 99n;
    lose("webhooks", other);
    const [found, ...others] = await differencesAt(minute);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      mode: "live",
      kind: "collection",
      accounts: { count: 2, sum: "300" },
      ledger: { count: 2, sum: "300" },
      payments: { count: 2, sum: "299" },
      webhooks: { count: 1, sum: "100" },
      what: ["count", "sum", "intake"],
    });
    expect(new Set(found?.transfers.flatMap(({ what }) => what))).toEqual(
      new Set(["merchant or amount: payments differs from accounts", "webhooks does not hold it"]),
    );
    heldBy("payments", one).amount = 100n;
    held.webhooks.push(other);
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("differ when money is assigned to another merchant, although count and sum are correct", async () => {
    const minute = minuteAgo(23);
    const row = await received({ receivedAt: minute });
    heldBy("ledger", row).merchant_id = "mer_2";
    expect(await differencesAt(minute)).toMatchObject([
      { what: ["intake"], transfers: [{ intake_id: row.intake_id, merchant_id: "mer_1" }] },
    ]);
    heldBy("ledger", row).merchant_id = "mer_1";
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("count allocated money twice: in suspense, and for its owner", async () => {
    const minute = minuteAgo(22);
    const suspended = await received({ receivedAt: minute, merchantId: null }, []);
    const allocated = await received({ receivedAt: minute, amount: 300n, isAllocated: true });
    const suspense = { kind: "suspense" as const, merchant_id: null };
    held.ledger.push({ ...suspended, ...suspense }, { ...allocated, ...suspense });
    expect(await differencesAt(minute)).toEqual([]);
    const row = heldBy("ledger", suspended, "suspense");
    row.amount = 1n;
    expect(await differencesAt(minute)).toMatchObject([{ kind: "suspense", payments: null, webhooks: null }]);
    row.amount = 100n;
  });

  test("do not differ while a transfer is in flight, at any stage", async () => {
    const minute = minuteAgo(24);
    const rows = [
      await received({ receivedAt: minute, isCompleted: false }, ["ledger"]),
      await received({ receivedAt: minute, isCompleted: false }, []),
      await received({ receivedAt: minute, merchantId: null, isCompleted: false }, []),
    ];
    expect(await differencesAt(minute)).toEqual([]);
    // Once it is completed it must be in every service.
    await world.owner.query("update inbound_transfers set completed_at = now() where intake_id = $1", [
      rows[0]?.intake_id,
    ]);
    expect(await differencesAt(minute)).toMatchObject([{ transfers: [{ intake_id: rows[0]?.intake_id }] }]);
    for (const row of rows.slice(0, 2)) for (const service of SERVICES) held[service].push(row);
    lose("ledger", rows[0] as HeldRow);
    held.ledger.push(rows[0] as HeldRow, { ...(rows[2] as HeldRow), kind: "suspense" });
    await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("do not differ while a transfer is being erased, and do when webhooks keeps another event", async () => {
    const minute = minuteAgo(26);
    const row = await received({ receivedAt: minute });
    heldBy("webhooks", row).amount = 99n;
    await world.owner.query(
      `with e as (insert into erasures (id, merchant_id, mode, kind, reference, due_at)
         values ('ers_1', 'mer_1', 'live', 'payer', 'col_1', 'infinity') returning id)
       insert into erased_transfers (erasure_id, intake_id, under_way) select id, $1, true from e`,
      [row.intake_id],
    );
    expect(await differencesAt(minute)).toEqual([]);
    await world.owner.query("update erased_transfers set under_way = false, run = 1, erased_at = now()");
    expect(await differencesAt(minute)).toMatchObject([{ transfers: [{ intake_id: row.intake_id }] }]);
    heldBy("webhooks", row).amount = 100n;
    expect(await differencesAt(minute)).toEqual([]);
  });

  test("are compared again once few enough transfers are in flight to exclude them", async () => {
    const minute = minuteAgo(25);
    await world.owner.query(
      `insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency,
         payer_name, paid_at, received_at, drive_at, merchant_id)
       select 'int_flood_' || n, '729', 'live', 'flood-' || n, '0000000017', 100, 'NGN', 'Chidi Eze', $1, $1, 'infinity', 'mer_1'
       from generate_series(1, ${IN_FLIGHT_MAX + 1}) as n`,
      [minute],
    );
    expect(await differencesAt(minute)).toEqual([]);
    await world.owner.query("update inbound_transfers set completed_at = now() where completed_at is null");
    expect(await differencesAt(minute)).toMatchObject([
      { accounts: { count: IN_FLIGHT_MAX + 1 }, ledger: { count: 0 } },
    ]);
    for (let n = 1; n <= IN_FLIGHT_MAX + 1; n++)
      for (const service of SERVICES)
        held[service].push({
          mode: "live",
          kind: "collection",
          intake_id: `int_flood_${n}`,
          merchant_id: "mer_1",
          amount: 100n,
          receivedAt: minute,
        });
    expect(await differencesAt(minute)).toEqual([]);
  });
});
