import { join } from "node:path";
import { Router } from "express";
import { openJournal } from "../journal.ts";
import { createBehaviours } from "./behaviour.ts";
import { controlRoutes } from "./control.ts";
import { createDisbursements, Disbursement } from "./disbursements.ts";
import { createHolders } from "./holders.ts";
import type { Notifier } from "./notifier.ts";
import { createPayments, Payment } from "./payments.ts";
import { createReservations, Reservation } from "./reservations.ts";
import { merchantRoutes } from "./routes.ts";
import { createTokens } from "./tokens.ts";

export type MonnifyOptions = {
  credentials: { apiKey: string; secretKey: string };
  contractCode: string;
  walletAccountNumber: string;
  dataDirectory?: string | undefined;
  notifier: Notifier;
};

/** Monnify with its two APIs: for merchants, under `/api`, and the control API, under `/control`. */
export function createMonnifySimulator(options: MonnifyOptions): Router {
  const { credentials, contractCode, walletAccountNumber, dataDirectory, notifier } = options;
  const file = (name: string) => dataDirectory && join(dataDirectory, `monnify-${name}.jsonl`);
  const reservations = createReservations({ contractCode, journal: openJournal(Reservation, file("reservations")) });
  const nameOf = createHolders(reservations);
  const monnify = {
    tokens: createTokens(credentials),
    reservations,
    payments: createPayments({ reservations, journal: openJournal(Payment, file("payments")) }),
    disbursements: createDisbursements({
      walletAccountNumber,
      nameOf,
      journal: openJournal(Disbursement, file("disbursements")),
    }),
    nameOf,
    behaviours: createBehaviours(),
  };
  return Router()
    .use("/control", controlRoutes({ ...monnify, notifier }))
    .use(merchantRoutes(monnify));
}
