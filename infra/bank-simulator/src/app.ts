import { join } from "node:path";
import { createHttpApp, type HttpApp } from "@collect/http";
import type { Logger } from "@collect/runtime";
import { Account, createAccounts } from "./accounts.ts";
import { createBehaviours } from "./behaviour.ts";
import { controlRoutes } from "./control.ts";
import { openJournal } from "./journal.ts";
import { partnerRoutes } from "./partner.ts";
import { createPayouts, Payout } from "./payouts.ts";
import type { Sender } from "./sender.ts";

export type AppOptions = {
  log: Logger;
  bank: { code: string; name: string };
  /** One of them signs each call to the partner API. */
  secrets: readonly string[];
  dataDirectory?: string | undefined;
  sender: Sender;
};

/** The bank with its two APIs: the signed partner API, and the control API for people, demos and tests. */
export function createApp({ log, bank, secrets, dataDirectory, sender }: AppOptions): HttpApp {
  const file = (name: string) => dataDirectory && join(dataDirectory, name);
  const accounts = createAccounts({ bank, journal: openJournal(Account, file("accounts.jsonl")) });
  const payouts = createPayouts({ accounts, journal: openJournal(Payout, file("payouts.jsonl")) });
  const behaviours = createBehaviours();
  return createHttpApp({
    log,
    routes: (app) => {
      app.use("/control", controlRoutes({ bank, behaviours, payouts, sender }));
      app.use(partnerRoutes({ accounts, payouts, behaviours, secrets }));
    },
  });
}
