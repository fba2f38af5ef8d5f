import { join } from "node:path";
import type { Logger } from "@collect/runtime";
import { Router } from "express";
import type { SimulatedBank } from "../bank.ts";
import { createBehaviours } from "../behaviour.ts";
import { openJournal } from "../journal.ts";
import { Booked, createStatements } from "../statements.ts";
import { controlRoutes } from "./control.ts";
import { createDisbursements, Disbursement, WALLET_KOBO } from "./disbursements.ts";
import { createHolders } from "./holders.ts";
import { createNotifier } from "./notifier.ts";
import { createPayments, Payment } from "./payments.ts";
import { createReservations, Reservation } from "./reservations.ts";
import { merchantRoutes, type Operation } from "./routes.ts";
import { createTokens } from "./tokens.ts";

export type MonnifyOptions = {
  log: Logger;
  access: { apiKey: string; secretKey: string; contractCode: string; sourceAccount: string };
  /** Where the bank door is: its path for Monnify is appended. */
  doorUrl: string;
  dataDirectory?: string | undefined;
};

/** Monnify: its API for merchants, and the control API for people, demos and tests. */
export function simulateMonnify({ log, access, doorUrl, dataDirectory }: MonnifyOptions): SimulatedBank {
  const { secretKey, contractCode, sourceAccount: walletAccountNumber } = access;
  const file = (name: string) => dataDirectory && join(dataDirectory, name);
  const reservations = createReservations({
    contractCode,
    journal: openJournal(Reservation, file("reservations.jsonl")),
  });
  const statements = createStatements({
    account: { number: walletAccountNumber, openingKobo: Number(WALLET_KOBO) },
    journal: openJournal(Booked, file("statements.jsonl")),
  });
  const nameOf = createHolders(reservations);
  const journal = openJournal(Disbursement, file("disbursements.jsonl"));
  const monnify = {
    tokens: createTokens(access),
    reservations,
    payments: createPayments({ reservations, statements, journal: openJournal(Payment, file("payments.jsonl")) }),
    disbursements: createDisbursements({ walletAccountNumber, nameOf, statements, journal }),
    nameOf,
    behaviours: createBehaviours<Operation>(),
  };
  const notifier = createNotifier({ doorUrl: `${doorUrl}/bank/monnify`, secretKey, log });
  const routes = Router()
    .use("/control", statements.routes, controlRoutes({ ...monnify, notifier, statements }))
    .use(merchantRoutes(monnify));
  return { path: "/monnify", routes, reporter: notifier };
}
