import { join } from "node:path";
import { nuban } from "@collect/bank";
import type { Logger } from "@collect/runtime";
import { Router } from "express";
import type { SimulatedBank } from "../bank.ts";
import { createBehaviours } from "../behaviour.ts";
import { openJournal } from "../journal.ts";
import { serialFrom } from "../serials.ts";
import { Booked, createStatements } from "../statements.ts";
import { Account, createAccounts } from "./accounts.ts";
import { controlRoutes } from "./control.ts";
import { type Operation, partnerRoutes } from "./partner.ts";
import { createPayouts, Payout } from "./payouts.ts";
import { createSender } from "./sender.ts";

export type LocalOptions = {
  log: Logger;
  bank: { code: string; name: string };
  /** One of them signs each call to the partner API. */
  secrets: readonly string[];
  /** Where transfers are reported, and what signs them. */
  door: { url: string; secret: string };
  dataDirectory?: string | undefined;
};

/** What our account there holds before the first transfer. */
const OPENING_KOBO = 10_000_000_000;

/** A bank that speaks our own protocol: the signed partner API, and the control API for people, demos and tests. */
export function simulateLocalBank({ log, bank, secrets, door, dataDirectory }: LocalOptions): SimulatedBank {
  const file = (name: string) => dataDirectory && join(dataDirectory, name);
  const accounts = createAccounts({ bank, journal: openJournal(Account, file("accounts.jsonl")) });
  const statements = createStatements({
    account: { number: nuban({ bankCode: bank.code, serial: serialFrom("settlement") }), openingKobo: OPENING_KOBO },
    journal: openJournal(Booked, file("statements.jsonl")),
  });
  const payouts = createPayouts({ accounts, statements, journal: openJournal(Payout, file("payouts.jsonl")) });
  const behaviours = createBehaviours<Operation>();
  const sender = createSender({ doorUrl: door.url, secret: door.secret, log });
  const routes = Router()
    .use("/control", statements.routes, controlRoutes({ bank, behaviours, payouts, sender, statements }))
    .use(partnerRoutes({ accounts, payouts, behaviours, secrets }));
  return { path: "/", routes, reporter: sender };
}
