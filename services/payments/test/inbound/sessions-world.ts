import { fileURLToPath } from "node:url";
import { createLocalPayoutPartner } from "@collect/bank";
import { answer, serveRequests } from "@collect/bus";
import {
  type CustomerAccount,
  collectionPosted,
  collectionSucceeded,
  type Fact,
  getCustomerAccount,
  type getPayment,
  issueAccountWithinLimit,
  issueCollectionAccount,
  listInFlight,
  openPayment,
  type Payment,
  Problem,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { createPool, KEY_LOOKUPS_ONLY, type Pool } from "@collect/database";
import {
  aMerchant,
  aTransfer,
  poolsOf,
  randomId,
  recordFacts,
  startComponents,
  until,
  useWorld,
  type World,
} from "@collect/testing";
import { afterAll } from "vitest";
import { createApp, type Deps } from "../../src/app.ts";
import { onlyPartner } from "../../src/outbound/domain/payout-partners.ts";

export const directory = fileURLToPath(new URL("../../prisma", import.meta.url));

/** The default configuration of sessions. Limit in kobo. */
export const CONFIG = {
  CHECKOUT_URL: "https://pay.example",
  SESSION_EXPIRY_S: 1_800,
  SENT_EXTENSION_S: 1_800,
  WATCH_COLLECTION_S: 7_200,
  WATCH_CUSTOMER_S: 86_400,
  WATCH_PUBLIC_S: 1_800,
  AMOUNT_LIMIT: 500_000_000n,
  COLLECTION_ACCOUNTS_MAX: 1_000,
  PUBLIC_COLLECTION_ACCOUNTS_MAX: 2,
  PAID_AT_TOLERANCE_S: 120,
  SLOT_PAUSE_S: 600,
  TRANSFER_UNKNOWN_AFTER_S: 600,
  TRANSFER_KEY: "a key from which transfer ids derive",
};

export type SessionsWorld = World & { accounts: FakeAccounts };

/**
 * The service as main.ts composes it, with a fake accounts service, for the whole test file. Its workers run at short
 * intervals.
 */
export async function useSessions(given: Partial<Pick<Deps, "expiring" | "attaching">> = {}): Promise<SessionsWorld> {
  const world = await useWorld({ service: "payments", directory });
  const accounts = await startFakeAccounts(world);
  afterAll(accounts.stop);
  const pool = poolOf(world);
  afterAll(() => pool.end());
  const { bus, log } = world;
  const bank = { code: "729", name: "Harbour Bank", url: "http://127.0.0.1:9", secret: "secret-of-the-partner" };
  const partners = onlyPartner(createLocalPayoutPartner({ ...bank, timeoutMs: 2_000 }));
  const expiring = { everyMs: 20, graceMs: 0, ...given.expiring };
  const { attaching = {} } = given;
  afterAll(
    await startComponents(createApp({ config: CONFIG, pools: poolsOf(pool), bus, log, partners, expiring, attaching })),
  );
  return { ...world, accounts };
}

/** A pool like that of the service. */
export const poolOf = ({ database, log }: World): Pool =>
  createPool({ url: database.service, service: "payments", log, max: 6, settings: KEY_LOOKUPS_ONLY });

export type FakeAccounts = {
  /** The accounts requested for a merchant: customer references, and positions in its pool. */
  requestedBy(merchantId: string): (string | number)[];
  retired: Set<string>;
  /** Account numbers with a transfer in transit; `down` means that the request fails. */
  inTransit: Set<string> | "down";
  stop(): Promise<void>;
};

/**
 * The fake accounts service: real responders on the bus. A customer reference or a position always gets the same
 * account.
 */
async function startFakeAccounts(world: World): Promise<FakeAccounts> {
  const requested = new Map<string, (string | number)[]>();
  const names = new Map<string, { number: string; name: string }>();
  const accountFor = (key: string, name: string) => {
    const known = names.get(key) ?? { number: String(names.size + 1).padStart(10, "9"), name };
    names.set(key, known);
    return known;
  };
  const note = (merchantId: string, what: string | number) =>
    requested.set(merchantId, [...(requested.get(merchantId) ?? []), what]);
  const accounts: FakeAccounts = {
    requestedBy: (merchantId) => requested.get(merchantId) ?? [],
    retired: new Set(),
    inTransit: new Set(),
    stop: () => stopServing(),
  };
  const requests = [
    answer(issueAccountWithinLimit, async ({ merchant, customer_reference, customer_name }) => {
      note(merchant.id, customer_reference);
      const key = `${merchant.id} ${merchant.mode} ${customer_reference}`;
      const created = !names.has(key);
      if (created && !customer_name) throw new Problem("validation_failed", "customer_name is required");
      const { number, name } = accountFor(key, customer_name ?? "");
      const status: CustomerAccount["status"] = accounts.retired.has(customer_reference) ? "retired" : "active";
      return { created, account: accountOf(merchant, customer_reference, { number, name, status }) };
    }),
    answer(getCustomerAccount, async ({ merchant, customer_reference }) => {
      const known = names.get(`${merchant.id} ${merchant.mode} ${customer_reference}`);
      if (!known) throw new Problem("not_found", "There is no such customer account.");
      return accountOf(merchant, customer_reference, { ...known, status: "active" });
    }),
    answer(issueCollectionAccount, async ({ merchant, position }) => {
      note(merchant.id, position);
      const { number } = accountFor(`${merchant.id} ${merchant.mode} ${position}`, merchant.name);
      return { position, account_number: number, account_name: merchant.name, bank_name: "Test Bank" };
    }),
    answer(listInFlight, async ({ spans }) => {
      const { inTransit } = accounts;
      if (inTransit === "down") throw new Problem("service_unavailable", "accounts is down");
      return { under_way: spans.flatMap(({ key, account_number }) => (inTransit.has(account_number) ? [key] : [])) };
    }),
  ];
  const stopServing = await startComponents([
    serveRequests(world.others, { service: "accounts", log: world.log, requests }),
  ]);
  return accounts;
}

const accountOf = (
  merchant: Shop,
  customer_reference: string,
  { number, name, status }: { number: string; name: string; status: CustomerAccount["status"] },
): CustomerAccount => ({
  customer_reference,
  customer_name: name,
  account_number: number,
  account_name: `${merchant.name} / ${name}`,
  bank_name: "Test Bank",
  status,
  metadata: {},
  mode: merchant.mode,
  created_at: "2026-11-21T09:30:00.123+00:00",
});

export type Shop = WireInput<typeof openPayment>["merchant"];
export const aShop = (mode: "test" | "live" = "test"): Shop => ({ ...aMerchant(mode), name: "Ada Stores" });

type Created = WireResult<typeof openPayment>;
type Given = Partial<WireInput<typeof openPayment>>;
/** Creates a session, by default of 2,500.00 naira. */
export const createSession = (world: World, merchant: Shop, given: Given = {}): Promise<Created> =>
  world.others.request(openPayment, { merchant, amount: 2_500, ...given });

export const createPayment = async (...given: Parameters<typeof createSession>) =>
  (await createSession(...given)).payment;

/** A new customer. */
export const aCustomer = () => ({ customer_reference: randomId("cust"), customer_name: "Ada Obi" });

export type Posted = Fact<typeof collectionPosted>;
type WirePayment = Pick<WireResult<typeof getPayment>, "account_number" | "amount" | "created_at"> &
  Pick<WireResult<typeof getPayment>, "customer_reference" | "customer_name">;

/**
 * A collection for this session's account as the ledger publishes it: by default exactly the amount, paid and received
 * two seconds after the session was created.
 */
export function aCollectionFor(
  payment: WirePayment,
  merchant: Shop,
  given: Partial<Posted> & { afterS?: number } = {},
): Posted {
  const { fundedBy: _, ...transfer } = aTransfer();
  const { afterS = 2, ...rest } = given;
  if (payment.account_number === null) throw new Error("nothing can be paid to a session without an account");
  const amount = rest.amount ?? kobo(payment.amount);
  const receivedAt = rest.receivedAt ?? secondsAfter(payment.created_at, afterS);
  const fee = (amount * 100n + 5_000n) / 10_000n;
  const customer = payment.customer_reference
    ? { reference: payment.customer_reference, name: payment.customer_name ?? "" }
    : null;
  return {
    ...transfer,
    merchant: { id: merchant.id, mode: merchant.mode },
    accountNumber: payment.account_number,
    customer,
    feeBasisPoints: 100,
    fee,
    net: amount - fee,
    transactionId: "1",
    paidAt: receivedAt,
    receivedAt,
    postedAt: secondsAfter(payment.created_at, afterS + 1),
    ...rest,
    amount,
  };
}

/** Pays: publishes the collections in one message, and returns the facts that the service publishes about them. */
export async function createPay(world: World) {
  const succeeded = await recordFacts(world.others, collectionSucceeded);
  return async (...posted: Posted[]): Promise<Fact<typeof collectionSucceeded>[]> => {
    await world.others.publish(collectionPosted, posted);
    return Promise.all(
      posted.map(({ intakeId }) => until("published", () => succeeded.all.find((fact) => fact.intakeId === intakeId))),
    );
  };
}

export const kobo = (naira: number): bigint => BigInt(Math.round(naira * 100));
export const secondsAfter = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString().replace("Z", "+00:00");

/** Ages one session: moves all its times back. */
export async function ageSession(world: World, reference: string, seconds: number): Promise<void> {
  await world.owner.query(
    `update sessions set created_at = created_at - $2::integer * interval '1 second',
       quoted_at = quoted_at - $2::integer * interval '1 second',
       expires_at = expires_at - $2::integer * interval '1 second',
       watch_until = watch_until - $2::integer * interval '1 second' where reference = $1`,
    [reference, seconds],
  );
}

export type SessionRow = { status: Payment["status"]; slot_held: boolean; version: number; amount_received: bigint };

export async function rowOf(world: World, reference: string): Promise<SessionRow> {
  const { rows } = await world.owner.query<SessionRow>("select * from sessions where reference = $1", [reference]);
  const [row] = rows;
  if (!row) throw new Error(`there is no session ${reference}`);
  return row;
}
