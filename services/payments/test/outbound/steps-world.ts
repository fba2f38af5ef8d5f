import { createTestBank } from "@collect/bank";
import { createStandings } from "@collect/bus";
import type { MerchantScope } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { afterAll } from "vitest";
import { createLedger } from "../../src/outbound/adapters/ledger.ts";
import { onlyPartner } from "../../src/outbound/domain/payout-partners.ts";
import type { Transfer } from "../../src/outbound/domain/transfer.ts";
import { TRANSFER_TIMES } from "../../src/outbound/domain/transfer-times.ts";
import { insertTransfer } from "../../src/outbound/store/transfers.ts";
import type { TransferDeps } from "../../src/outbound/use-cases/advance-transfer.ts";
import { startFakeLedger } from "./fake-ledger.ts";
import type { HttpBank } from "./http-bank.ts";
import { partnerAt, partnerOf } from "./transfers-world.ts";
import { usePaymentsWorld } from "./use-transfers.ts";

/** The worker's steps one by one, without the worker. */
export async function useSteps() {
  const world = await usePaymentsWorld();
  const ledger = await startFakeLedger(world);
  afterAll(ledger.stop);

  function depsWith(bank: HttpBank): TransferDeps {
    const { pool, bus, log } = world;
    const partners = {
      test: onlyPartner(partnerOf(createTestBank())),
      live: onlyPartner(partnerAt(bank.url)),
    };
    const standings = createStandings(bus);
    return {
      pool,
      bus,
      log,
      ledger: createLedger(bus),
      partners,
      standings,
      times: TRANSFER_TIMES,
      hasRecovered: () => false,
    };
  }

  /** A transfer whose request died right after its first commit. */
  async function aCreatedTransfer(merchant: MerchantScope): Promise<Transfer> {
    const created = await insertTransfer(
      world.pool,
      {
        reference: randomId("trf"),
        merchantId: merchant.id,
        mode: merchant.mode,
        merchantReference: randomId("payout"),
        amount: 250_073n,
        bankCode: "011",
        bankName: "First Bank of Nigeria",
        accountNumber: "0000014579",
        accountName: "NGOZI EZE",
        nameWithheld: false,
        narration: null,
        metadata: {},
        orderedBy: null,
      },
      60_000,
    );
    if (!created) throw new Error("the reference is taken");
    return created;
  }

  return { world, ledger, depsWith, aCreatedTransfer };
}
