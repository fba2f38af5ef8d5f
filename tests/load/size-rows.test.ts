import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTransfers } from "@collect/accounts/src/store/inbound-transfers.ts";
import { addressOf, createPool, databaseOf, type Pool } from "@collect/database";
import { intakesReceived } from "@collect/payments/src/inbound/store/collection-facts.ts";
import { createLogger } from "@collect/runtime";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../stack/servers.ts";
import { ROOT } from "../stack/service.ts";
import { UNSAFE } from "../stack/template.ts";
import { FILLS, type Size, sizeOf } from "./size-rows.ts";

const log = createLogger("tests", "silent");

test("a collection that the bench fills in has what accounts says of its transfer, in the form that payments stores", async () => {
  const size = sizeOf(3_000, new Date());
  const url = await openServer();
  const [accounts, payments] = [await openFilled(url, "accounts", size), await openFilled(url, "payments", size)];

  const day = { from: size.firstMidnight.toISOString(), to: new Date().toISOString() };
  const posted = await intakesReceived(payments, { ...day, after: "", limit: 100 });
  expect(posted).toHaveLength(100);
  const intakeIds = posted.map(({ intakeId }) => intakeId);
  const transfers = await readTransfers(accounts, intakeIds);
  for (const collection of posted) {
    const transfer = transfers.get(collection.intakeId);
    expect(transfer).toMatchObject({
      ...{ mode: "live", merchantId: collection.merchant.id, accountNumber: collection.accountNumber },
      ...{ amount: collection.amount, paidAt: collection.paidAt, receivedAt: collection.receivedAt },
      ...{ customerReference: collection.customer?.reference, customerName: collection.customer?.name },
      ...{ payerName: collection.payer.name, payerAccountNumber: collection.payer.accountNumber },
    });
    const { bank, bankTransferId, narration } = transfer ?? {};
    expect(collection.source).toEqual({ bank, bankTransferId, narration, allocated: false });
  }
});

async function openServer(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "collect-size-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const server = await openPostgres(directory, { settings: UNSAFE, tree: ROOT });
  onTestFinished(() => server.stop({ immediate: true }));
  return server.url;
}

async function openFilled(adminUrl: string, service: "accounts" | "payments", size: Size): Promise<Pool> {
  const settings = ["session_replication_role=replica"];
  const pool = createPool({ url: addressOf(adminUrl, databaseOf(service)), service: "bench", log, max: 1, settings });
  onTestFinished(() => pool.end());
  const { once, day, finish } = FILLS[service];
  for (const statement of [...once(size), ...day(size, 0), ...finish(size)]) await pool.query(statement);
  return pool;
}
