import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type AccountIssuer, SIGNATURE_HEADER, signBody } from "@collect/bank";
import { openWorld, startComponents, type World } from "@collect/testing";
import { createApp, type Deps } from "../src/app.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));
export const BANK_DOOR_SECRET = "the partner's secret";

export type AccountsWorld = World & { doorUrl: string; stop(): Promise<void> };

const PARTNER: AccountIssuer = {
  code: "729",
  name: "Harbour Bank",
  issueAccount: () => Promise.reject(new Error("this test expects no call to the partner bank")),
};

/** The accounts service alone, started as in main.ts, with the bank door on a free port. */
export async function openAccounts(
  given: Partial<Pick<Deps, "partner" | "sweep" | "auditing">> = {},
): Promise<AccountsWorld> {
  const world = await openWorld({ service: "accounts", directory });
  const config = { HOST: "127.0.0.1", BANK_DOOR_PORT: 0, BANK_DOOR_SECRET, INTAKE_KEY: "k".repeat(32) };
  const parts = createApp({ config, pools: world.pools, bus: world.bus, log: world.log, partner: PARTNER, ...given });
  const stop = await startComponents(parts);
  const door = parts.find((part) => "server" in part) as { server?: import("node:http").Server } | undefined;
  const address = door?.server?.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { ...world, doorUrl: `http://127.0.0.1:${port}/bank/transfers`, stop };
}

/** A transfer of ₦2,500.73 as the partner bank reports it. */
export const aReport = (accountNumber: string, given: object = {}) => ({
  id: randomUUID(),
  account_number: accountNumber,
  amount: 2500.73,
  currency: "NGN",
  payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
  narration: "rent",
  paid_at: "2026-11-21T10:30:00.123+01:00",
  ...given,
});

/** The partner bank as a client of the bank door. */
export async function report({ doorUrl }: AccountsWorld, body: unknown, signature?: string) {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    [SIGNATURE_HEADER]: signature ?? signBody(raw, BANK_DOOR_SECRET),
  };
  const response = await fetch(doorUrl, { method: "POST", headers, body: raw });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
