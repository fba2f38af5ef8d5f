import { join } from "node:path";
import type { Logger } from "@collect/runtime";
import { Router } from "express";
import type { SimulatedBank } from "../bank.ts";
import { createBehaviours } from "../behaviour.ts";
import { openJournal } from "../journal.ts";
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

/** A bank that speaks our own protocol: the signed partner API, and the control API for people, demos and tests. */
export function simulateLocalBank({ log, bank, secrets, door, dataDirectory }: LocalOptions): SimulatedBank {
  const file = (name: string) => dataDirectory && join(dataDirectory, name);
  const accounts = createAccounts({ bank, journal: openJournal(Account, file("accounts.jsonl")) });
  const payouts = createPayouts({ accounts, journal: openJournal(Payout, file("payouts.jsonl")) });
  const behaviours = createBehaviours<Operation>();
  const sender = createSender({ doorUrl: door.url, secret: door.secret, log });
  const routes = Router()
    .use("/control", controlRoutes({ bank, behaviours, payouts, sender }))
    .use(partnerRoutes({ accounts, payouts, behaviours, secrets }));
  return { path: "/", routes, reporter: sender };
}
