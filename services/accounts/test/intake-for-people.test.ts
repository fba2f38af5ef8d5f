import { getInboundTransfer } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { describe, expect, test } from "vitest";
import {
  aCustomer,
  aTestTransfer,
  exceptionsOf,
  failure,
  receive,
  rowsOf,
  useTestTransfers,
  world,
} from "./test-transfers-world.ts";
import { aReport, report } from "./world.ts";

await useTestTransfers();

describe("the intake that a merchant sees", () => {
  test("shows the progress of a transfer, of this merchant and mode only", async () => {
    const merchant = await aCustomer();
    const transfer = aTestTransfer();
    await receive(merchant, [transfer]);
    const [row] = await rowsOf(merchant);
    const see = (who: { id: string; mode: "test" | "live" }, intake_id: string) =>
      world.others.request(getInboundTransfer, { merchant: { id: who.id, mode: who.mode }, intake_id });
    expect(await see(merchant, row.intake_id)).toEqual({
      bank_transfer_id: `${merchant.id}:${transfer.id}`,
      narration: null,
      account_retired: false,
      allocated_at: null,
      paid_at: transfer.paid_at,
      received_at: row.received_at,
      completed_at: null,
      session_id: null,
    });
    expect((await failure(see(aMerchant(), row.intake_id))).code).toBe("not_found");
    expect((await failure(see({ ...merchant, mode: "live" }, row.intake_id))).code).toBe("not_found");
    for (const malformed of ["int_1", `${row.intake_id}\u0000`, "%"])
      expect((await failure(see(merchant, malformed))).code).toBe("not_found");
  });

  test("counts transfers unfinished after a minute and quarantined ones, of this merchant and mode only", async () => {
    const merchant = await aCustomer();
    const other = await aCustomer();
    const transfers = [aTestTransfer(), aTestTransfer(), aTestTransfer()];
    await receive(merchant, transfers);
    expect(await exceptionsOf(merchant)).toEqual({ quarantined: 0, unfinished: 0 });
    await makeOlder(merchant);
    expect(await exceptionsOf(merchant)).toEqual({ quarantined: 0, unfinished: 3 });
    await world.owner.query("update inbound_transfers set completed_at = now() where bank_transfer_id = $1", [
      `${merchant.id}:${transfers[0]?.id}`,
    ]);
    await receive(
      merchant,
      transfers.slice(0, 2).map((transfer) => ({ ...transfer, amount: 1 })),
    );
    expect(await exceptionsOf(merchant)).toEqual({ quarantined: 2, unfinished: 2 });
    for (const who of [other, { ...merchant, mode: "live" as const }])
      expect(await exceptionsOf(who)).toEqual({ quarantined: 0, unfinished: 0 });
  });

  test("counts transfers quarantined for the merchant's account, and not those for unknown accounts", async () => {
    const merchant = await aCustomer("live");
    const { rows } = await world.owner.query(
      "select account_number from customer_accounts where merchant_id = $1 and customer_reference = 'cust_1'",
      [merchant.id],
    );
    const credit = aReport(rows[0].account_number);
    for (const wrong of [{ amount: 1 }, { amount: 1 }, { currency: "USD" }, { account_number: "9999999999" }]) {
      await report(world, credit);
      expect((await report(world, { ...credit, ...wrong })).body.status).toBe("quarantined");
    }
    expect((await exceptionsOf(merchant)).quarantined).toBe(2);
  });

  test("stops counting at 100", async () => {
    const merchant = await aCustomer();
    const transfers = Array.from({ length: 101 }, () => aTestTransfer());
    await receive(merchant, transfers);
    await receive(
      merchant,
      transfers.map((transfer) => ({ ...transfer, amount: 1 })),
    );
    await makeOlder(merchant);
    expect(await exceptionsOf(merchant)).toEqual({ quarantined: 100, unfinished: 100 });
  });

  /** Received rows are immutable, so the rows of an hour ago are created with the trigger disabled. */
  async function makeOlder({ id }: { id: string }) {
    await world.owner.query("alter table inbound_transfers disable trigger inbound_transfers_facts");
    await world.owner.query(
      "update inbound_transfers set received_at = received_at - interval '1 hour' where merchant_id = $1",
      [id],
    );
    await world.owner.query("alter table inbound_transfers enable trigger inbound_transfers_facts");
  }
});
