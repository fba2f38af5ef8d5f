import { fileURLToPath } from "node:url";
import { createHttpPartner } from "@collect/bank";
import { answer, serveRequests } from "@collect/bus";
import {
  type CustomerAccount,
  type collectionPosted,
  type Fact,
  issueCollectionAccount,
  issueCustomerAccount,
  listUnderWay,
  openPayment,
  type Payment,
  Problem,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { createPool, KEY_LOOKUPS_ONLY, type Pool } from "@collect/database";
import { aMerchant, aTransfer, openWorld, poolsOf, someId, startParts, type World } from "@collect/testing";
import { createApp, type Deps } from "../../src/app.ts";

export const directory = fileURLToPath(new URL("../../prisma", import.meta.url));

/** The usual rules of sessions. Limit in kobo. */
export const CONFIG = {
  CHECKOUT_URL: "https://pay.example",
  SESSION_EXPIRY_S: 1_800,
  SENT_EXTENSION_S: 1_800,
  WATCH_COLLECTION_S: 7_200,
  WATCH_CUSTOMER_S: 86_400,
  AMOUNT_LIMIT: 500_000_000n,
  COLLECTION_ACCOUNTS_MAX: 1_000,
  PUBLIC_COLLECTION_ACCOUNTS_MAX: 2,
  PAID_AT_TOLERANCE_S: 120,
  SLOT_PAUSE_S: 600,
  TRANSFER_UNKNOWN_AFTER_S: 600,
  TRANSFER_KEY: "a key from which transfer ids derive",
};

export type SessionsWorld = World & { accounts: PlayedAccounts; stop(): Promise<void> };

/** The service as its main puts it together, beside an accounts service that is played. Its workers do not wait. */
export async function openSessionsWorld(given: Partial<Pick<Deps, "expiring">> = {}): Promise<SessionsWorld> {
  const world = await openWorld({ service: "payments", directory });
  const accounts = await playAccounts(world);
  const pool = poolOf(world);
  const { bus, log } = world;
  const partner = createHttpPartner({
    code: "729",
    name: "Harbour Bank",
    url: "http://127.0.0.1:9",
    secret: "secret-of-the-partner",
    timeoutMs: 300,
  });
  const expiring = { everyMs: 20, graceMs: 0, ...given.expiring };
  const stopParts = await startParts(createApp({ config: CONFIG, pools: poolsOf(pool), bus, log, partner, expiring }));
  const stop = async () => {
    await stopParts();
    await accounts.stop();
    await pool.end();
    await world.close();
  };
  return { ...world, accounts, stop };
}

/** Connections as the service has them. */
export const poolOf = ({ database, log }: World): Pool =>
  createPool({ url: database.service, service: "payments", log, max: 6, settings: KEY_LOOKUPS_ONLY });

export type PlayedAccounts = {
  /** What was asked for a merchant: customer references, and positions of its pool. */
  askedFor(merchantId: string): (string | number)[];
  retired: Set<string>;
  /** Account numbers that have money under way; `down` means that nobody answers what is. */
  underWay: Set<string> | "down";
  stop(): Promise<void>;
};

/** The accounts service: real responders on the bus. A customer or a position has one account for ever. */
async function playAccounts(world: World): Promise<PlayedAccounts> {
  const asked = new Map<string, (string | number)[]>();
  const names = new Map<string, { number: string; name: string }>();
  const accountFor = (key: string, name: string) => {
    const known = names.get(key) ?? { number: String(names.size + 1).padStart(10, "9"), name };
    names.set(key, known);
    return known;
  };
  const note = (merchantId: string, what: string | number) =>
    asked.set(merchantId, [...(asked.get(merchantId) ?? []), what]);
  const accounts: PlayedAccounts = {
    askedFor: (merchantId) => asked.get(merchantId) ?? [],
    retired: new Set(),
    underWay: new Set(),
    stop: () => stopServing(),
  };
  const requests = [
    answer(issueCustomerAccount, async ({ merchant, customer_reference, customer_name }) => {
      note(merchant.id, customer_reference);
      const key = `${merchant.id} ${merchant.mode} ${customer_reference}`;
      const created = !names.has(key);
      if (created && !customer_name) throw new Problem("validation_failed", "customer_name is required");
      const { number, name } = accountFor(key, customer_name ?? "");
      const status: CustomerAccount["status"] = accounts.retired.has(customer_reference) ? "retired" : "active";
      return {
        created,
        account: {
          customer_reference,
          customer_name: name,
          account_number: number,
          account_name: `${merchant.name} / ${name}`,
          bank_name: "Test Bank",
          status,
          mode: merchant.mode,
          created_at: "2026-11-21T09:30:00.123+00:00",
        },
      };
    }),
    answer(issueCollectionAccount, async ({ merchant, position }) => {
      note(merchant.id, position);
      const { number } = accountFor(`${merchant.id} ${merchant.mode} ${position}`, merchant.name);
      return { position, account_number: number, account_name: merchant.name, bank_name: "Test Bank" };
    }),
    answer(listUnderWay, async ({ spans }) => {
      const { underWay } = accounts;
      if (underWay === "down") throw new Problem("service_unavailable", "accounts is down");
      return { under_way: spans.flatMap(({ key, account_number }) => (underWay.has(account_number) ? [key] : [])) };
    }),
  ];
  const stopServing = await startParts([
    serveRequests(world.others, { service: "accounts", log: world.log, requests }),
  ]);
  return accounts;
}

export type Shop = WireInput<typeof openPayment>["merchant"];
export const aShop = (mode: "test" | "live" = "test"): Shop => ({ ...aMerchant(mode), name: "Ada Stores" });

type Opened = WireResult<typeof openPayment>;
/** A session of a merchant: 2,500.00 naira unless said otherwise. */
export const open = (
  world: World,
  merchant: Shop,
  given: Partial<WireInput<typeof openPayment>> = {},
): Promise<Opened> => world.others.request(openPayment, { merchant, amount: 2_500, ...given });

export const openOne = async (...given: Parameters<typeof open>) => (await open(...given)).payment;

/** A customer of a test's own. */
export const aCustomer = () => ({ customer_reference: someId("cust"), customer_name: "Ada Obi" });

export type Posted = Fact<typeof collectionPosted>;
type WirePayment = Opened["payment"];

/** Money for this session's account as the ledger posts it: exactly what is asked, paid and received two seconds after the session was opened. */
export function money(payment: WirePayment, merchant: Shop, given: Partial<Posted> & { afterS?: number } = {}): Posted {
  const { fundedBy: _, ...transfer } = aTransfer();
  const { afterS = 2, ...rest } = given;
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

export const kobo = (naira: number): bigint => BigInt(Math.round(naira * 100));
export const secondsAfter = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString().replace("Z", "+00:00");

/** Lets time pass for one session: everything about it was that much earlier. */
export async function letPass(world: World, reference: string, seconds: number): Promise<void> {
  await world.owner.query(
    `update sessions set created_at = created_at - $2::integer * interval '1 second',
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
