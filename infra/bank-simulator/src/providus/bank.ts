import { join } from "node:path";
import type { Logger } from "@collect/runtime";
import { Router } from "express";
import type { SimulatedBank } from "../bank.ts";
import { createBehaviours } from "../behaviour.ts";
import { openJournal } from "../journal.ts";
import { Booked, createStatements } from "../statements.ts";
import { Account, Credit, createBooks, OPENING, Payout } from "./books.ts";
import { COLLECTION_OPERATIONS, collectionRoutes, signedHeaders } from "./collections.ts";
import { controlRoutes } from "./control.ts";
import { createNotifier } from "./notifier.ts";
import { createPayoutCodes } from "./payout-codes.ts";
import { createPayoutStatuses } from "./payout-statuses.ts";
import { createPayouts } from "./payouts.ts";
import { createReports } from "./reports.ts";
import { TRANSFER_OPERATIONS, transferRoutes } from "./transfers.ts";

export type ProvidusOptions = {
  log: Logger;
  access: { clientId: string; clientSecret: string; userName: string; password: string; sourceAccount: string };
  /** Transfers are reported to `{doorUrl}/bank/providus`. */
  doorUrl: string;
  dataDirectory?: string | undefined;
};

const OPERATIONS = [...COLLECTION_OPERATIONS, ...TRANSFER_OPERATIONS] as const;

/** Providus Bank: its collection service, its transfer service, and the control API for people, demos and tests. */
export function simulateProvidus({ log, access, doorUrl, dataDirectory }: ProvidusOptions): SimulatedBank {
  const file = (name: string) => dataDirectory && join(dataDirectory, name);
  const statements = createStatements({
    account: { number: access.sourceAccount, openingKobo: OPENING },
    journal: openJournal(Booked, file("statements.jsonl")),
  });
  const books = createBooks({
    statements,
    accounts: openJournal(Account, file("accounts.jsonl")),
    credits: openJournal(Credit, file("credits.jsonl")),
    payouts: openJournal(Payout, file("payouts.jsonl")),
  });
  const behaviours = createBehaviours<(typeof OPERATIONS)[number]>();
  const codes = createPayoutCodes();
  const notifier = createNotifier({ url: `${doorUrl}/bank/providus`, headers: signedHeaders(access), log });
  const reports = createReports({ books, notifier });
  const { sourceAccount } = access;
  const payouts = createPayouts({ books, codes, sourceAccount });
  const statuses = createPayoutStatuses({ books, sourceAccount });
  const repush = (credit: Credit) => {
    const once = { times: 1, delayMs: 0, claims: {}, timeForm: undefined };
    void reports.report(credit, once).catch((err) => log.warn({ err }, "the transfer was not notified again"));
  };
  const routes = Router()
    .use("/control", statements.routes, controlRoutes({ books, reports, codes, operations: OPERATIONS, behaviours }))
    .use("/api", collectionRoutes({ credentials: access, books, behaviours, repush }))
    .use("/postingrest", transferRoutes({ access, books, payouts, statuses, behaviours }));
  return { path: "/providus", routes, reporter: notifier };
}
