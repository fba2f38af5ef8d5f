import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createLocalPartner, type LocalPartner, type RequestIssuer, SIGNATURE_HEADER, signBody } from "@collect/bank";
import { instantOf } from "@collect/contracts";
import type { SharedSecret } from "@collect/runtime";
import { startComponents, useWorld, type World } from "@collect/testing";
import { afterAll } from "vitest";
import { createApp, type Deps } from "../src/app.ts";

export const directory = fileURLToPath(new URL("../prisma", import.meta.url));
export const BANK_DOOR_SECRET = "the partner's secret";
/** The one that BANK_DOOR_SECRET replaces, and the bank may still use. */
export const OLD_DOOR_SECRET = "the partner's former secret";

const SECRETS: SharedSecret = [BANK_DOOR_SECRET, OLD_DOOR_SECRET];

export type AccountsWorld = World & { doorUrl: string; stop(): Promise<void> };

/** The partner bank, with the door's real protocol, whose accounts the test issues. */
const issuedBy = (issueAccount: RequestIssuer["issueAccount"]): LocalPartner => ({
  ...createLocalPartner({
    ...BANK,
    url: "http://127.0.0.1:9",
    secret: "secret-of-the-partner",
    doorSecrets: SECRETS,
    timeoutMs: 2_000,
  }),
  issuer: { kind: "by_request", needs: [], issueAccount },
});

const BANK = { code: "729", name: "Harbour Bank" };
/** The account that the partner bank issues with this number, in the name that it was asked for. */
export const issued = (accountNumber: string, accountName: string) => ({
  ...{ accountNumber, accountName, bankCode: BANK.code, bankName: BANK.name },
});

const PARTNER = issuedBy(() => Promise.reject(new Error("this test expects no call to the partner bank")));

/** One partner, which is the bank of our own protocol; or several. */
type Given = Partial<Pick<Deps, "partners" | "sweep" | "auditing" | "pooling" | "asking" | "reversalsEveryMs">> & {
  partner?: LocalPartner;
};

export const useAccountsWorld = () => useWorld({ service: "accounts", directory });

/** The accounts service alone, for the whole test file. */
export const useAccounts = async (given: Given = {}): Promise<AccountsWorld> =>
  startAccounts(await useAccountsWorld(), given);

/** The service as main.ts starts it, with the bank door on a free port, until the test file ends. */
export async function startAccounts(world: World, { partner = PARTNER, ...given }: Given = {}): Promise<AccountsWorld> {
  const partners = { all: [partner], standard: partner, own: partner.id };
  const config = { HOST: "127.0.0.1", BANK_DOOR_PORT: 0, INTAKE_KEY: "k".repeat(32) };
  const parts = createApp({ config, pools: world.pools, bus: world.bus, log: world.log, partners, ...given });
  const stopComponents = await startComponents(parts);
  let stopped: Promise<void> | undefined;
  // A test may stop the service before the file ends.
  const stop = () => (stopped ??= stopComponents());
  afterAll(stop);
  const door = parts.find((part) => "server" in part) as { server?: import("node:http").Server } | undefined;
  const address = door?.server?.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { ...world, doorUrl: `http://127.0.0.1:${port}/bank/transfers`, stop };
}

type IssueRequest = Parameters<RequestIssuer["issueAccount"]>[0];
type RecordingPartner = LocalPartner & { requests: IssueRequest[]; respond: RequestIssuer["issueAccount"] };

/** A partner bank that records the requests for accounts; each test sets how it responds next. */
export function aPartner(): RecordingPartner {
  const requests: IssueRequest[] = [];
  const partner: RecordingPartner = {
    ...issuedBy((request) => {
      requests.push(request);
      return partner.respond(request);
    }),
    requests,
    respond: () => Promise.reject(new Error("not expected")),
  };
  return partner;
}

/** A partner bank that issues consecutive account numbers, filled up on the left with this digit. */
export function aSerialPartner(digit: string): LocalPartner {
  let serial = 0;
  return issuedBy(async ({ accountName }) => issued(String(++serial).padStart(10, digit), accountName));
}

/** A sweep that is always due. */
export const SWEEP = {
  everyMs: 50,
  firstWaitMs: 60_000,
  longestWaitMs: 60_000,
  budget: 1_000,
  trickle: 1,
  leaseMs: 1_000,
};

/** Three days ago, as our own protocol has it: in UTC, to the millisecond. */
export const PAID_AT = instantOf(new Date(Date.now() - 3 * 86_400_000));

/** A transfer of ₦2,500.73 as the partner bank reports it. */
export const aReport = (accountNumber: string, given: object = {}) => ({
  id: randomUUID(),
  account_number: accountNumber,
  amount: 2500.73,
  currency: "NGN",
  payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
  narration: "rent",
  paid_at: PAID_AT,
  ...given,
});

/** The partner bank as a client of the bank door. */
export async function report({ doorUrl }: Pick<AccountsWorld, "doorUrl">, body: unknown, signature?: string) {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    [SIGNATURE_HEADER]: signature ?? signBody(raw, BANK_DOOR_SECRET),
  };
  const response = await fetch(doorUrl, { method: "POST", headers, body: raw });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
