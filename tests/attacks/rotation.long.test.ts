import { randomBytes } from "node:crypto";
import { reencryptSecrets, SECRET_SERVICES } from "@collect/contracts";
import { addressOf, closeLogin, databaseOf, loginOf, openLogin } from "@collect/database";
import { FACT_KEY, ORDER_KEY, PAYOUT_KEY } from "@collect/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { untilEverythingHolds } from "../faults/audit-parts.ts";
import { proveNothingLost } from "../faults/proof.ts";
import { AMOUNT, beneficiary, openShop, proveCompleted, type Shop } from "../faults/shop.ts";
import { openTraffic, type Traffic } from "../faults/traffic.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { type Person, signUp } from "../stack/person.ts";
import { keyringKey } from "../stack/plans.ts";
import { type Stack, startStack } from "../stack.ts";
import { type Load, startLoad } from "./load.ts";
import { type Balanced, balanced } from "./rolling.ts";

const secret = () => randomBytes(32).toString("hex");
const [oldApi, newApi, oldDoor, newDoor] = [secret(), secret(), secret(), secret()];
const [oldAuth, newAuth] = [secret(), secret()];
const keyrings = {
  webhooks: [keyringKey("k1"), keyringKey("k2")],
  dashboard: [keyringKey("k1"), keyringKey("k2")],
} as const;
/** The services of which each has two replicas, so that one serves while the other is restarted. */
const ROLLED = ["gateway", "accounts", "ledger", "payments", "webhooks", "dashboard"] as const;
type Rolled = (typeof ROLLED)[number];

let stack: Stack;
let services: Record<Rolled, Balanced>;
let shop: Shop;
let traffic: Traffic;
let person: Person;
const door = { secret: oldDoor };

beforeAll(async () => {
  stack = await startStack({
    env: {
      accounts: { BANK_DOOR_SECRET: oldDoor, BANK_API_SECRET: oldApi },
      payments: { BANK_API_SECRET: oldApi },
      // The bank has agreed to accept our next secret beside the present one.
      "bank-simulator": { BANK_API_SECRET: `${newApi},${oldApi}`, BANK_DOOR_SECRET: oldDoor },
      dashboard: { AUTH_SECRET: oldAuth, KEYRING: keyrings.dashboard[0] },
      webhooks: { KEYRING: keyrings.webhooks[0] },
    },
  });
  const pairs = await Promise.all(ROLLED.map(async (name) => [name, await balanced(stack.service(name))] as const));
  services = Object.fromEntries(pairs) as Record<Rolled, Balanced>;
  shop = await openShop({ ...stack, bankDoor: { ...stack.bankDoor, secret: oldDoor } });
  traffic = await openTraffic(stack, { merchants: 2 });
  person = await signUp(stack);
}, 180_000);
afterAll(() => stack?.stop());

/** Money in, money out, and a person who was signed in all along, until the test ends: each response is recorded. */
function underLoad(): Load {
  const load = startLoad({
    report: async (number) => {
      const { accountNumber = "" } = traffic.customers[number % traffic.customers.length] ?? {};
      const transfer = aBankTransfer({ account_number: accountNumber, amount: (10_000 + number) / 100 });
      const { status, text } = await services.accounts.call((url) => reportTransfer({ url, ...door }, transfer));
      if (status === 200) traffic.acknowledged.set(transfer.id, transfer);
      return status === 200 ? undefined : text;
    },
    payOut: (number) => services.gateway.call((url) => useApi(url, number)),
    visit: () =>
      services.dashboard.call(async (url) => {
        const answer = await fetch(`${url}/api/me`, { headers: { cookie: person.cookie } });
        return answer.status === 200 ? undefined : answer.text();
      }),
  });
  onTestFinished(load.stop);
  return load;
}

const payouts: string[] = [];
/** Reads the balance, and in one turn of twenty sends money: a few hundred payouts in all. */
async function useApi(url: string, number: number): Promise<string | undefined> {
  const api = client(`${url}/v1`, shop.merchant.keys.sk_live);
  if (number % 20 !== 0) {
    const { status, text } = await api.get("/balance");
    return status === 200 ? undefined : text;
  }
  const account = { bank_code: "058", account_number: beneficiary(number) };
  const { status, body, text } = await api.post("/transfers", { ...account, amount: AMOUNT, reference: `p-${number}` });
  if (status !== 201) return text;
  payouts.push(String(body.reference));
  return undefined;
}

/** The person in another browser: with the password, at any replica. */
async function signInAgain(): Promise<number> {
  const { email, password } = person;
  return services.dashboard.call(async (url) => {
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: stack.dashboardUrl },
      body: JSON.stringify({ email, password }),
    });
    return answer.status;
  });
}

/** More of everything after the last change, and then: nothing was refused. */
async function proveUnrefused(load: Load): Promise<void> {
  await load.untilMore(20);
  await load.stop();
  expect(load.refused).toEqual([]);
}

test("the secret of the bank door is replaced while the bank reports transfers", async () => {
  const load = underLoad();
  await services.accounts.roll({ BANK_DOOR_SECRET: `${newDoor},${oldDoor}` });
  await load.untilMore(20);
  // The bank changes over on its own time; both are accepted.
  door.secret = newDoor;
  await load.untilMore(20);
  await services.accounts.roll({ BANK_DOOR_SECRET: newDoor });
  await proveUnrefused(load);
  const late = aBankTransfer({ account_number: traffic.customers[0]?.accountNumber ?? "", amount: 1 });
  const refused = await reportTransfer({ url: services.accounts.url(), secret: oldDoor }, late);
  expect([refused.status, refused.body.code]).toEqual([401, "invalid_signature"]);
});

test("the secret of the bank's API is replaced while payouts are sent", async () => {
  const load = underLoad();
  await Promise.all([
    services.payments.roll({ BANK_API_SECRET: newApi }),
    services.accounts.roll({ BANK_API_SECRET: newApi }),
  ]);
  await proveUnrefused(load);
});

test("the keys of sessions, of stored secrets, and by which services prove facts, payouts and orders to each other are replaced while money flows", async () => {
  const load = underLoad();
  const [newFacts, newPayouts, newOrders] = [`next:${secret()}`, `next:${secret()}`, `next:${secret()}`];
  /** Gives each service the keys that it holds: these of each pair, in this order. */
  const set = (these: (old: string, next: string) => string[], AUTH_SECRET: string) => {
    const facts = { FACT_KEY: these(FACT_KEY, newFacts).join() };
    const payouts = { PAYOUT_KEY: these(PAYOUT_KEY, newPayouts).join() };
    const orders = { ORDER_KEY: these(ORDER_KEY, newOrders).join() };
    const stored = (name: keyof typeof keyrings) => ({ KEYRING: these(...keyrings[name]).join() });
    const settings = {
      gateway: orders,
      accounts: facts,
      ledger: { ...facts, ...payouts, ...orders },
      payments: { ...payouts, ...orders },
      webhooks: stored("webhooks"),
      dashboard: { ...orders, ...stored("dashboard"), AUTH_SECRET },
    };
    return Promise.all(ROLLED.map((name) => services[name].roll(settings[name])));
  };
  await set((old, next) => [old, next], `${oldAuth},${newAuth}`);
  expect(await signInAgain()).toBe(200);
  await set((old, next) => [next, old], `${newAuth},${oldAuth}`);
  expect(await signInAgain()).toBe(200);
  for (const name of SECRET_SERVICES) {
    const { unreadable, next } = await stack.bus.request(reencryptSecrets[name], { after: null });
    expect([name, unreadable, next]).toEqual([name, [], null]);
  }
  await load.untilMore(20);
  const { rows } = await stack.database("webhooks").query("select secret from endpoints");
  expect(rows.filter(({ secret }) => !secret.startsWith("sealed:k2:"))).toEqual([]);
  // But for the secret of sessions: those that the old one signed outlast this test.
  await set((_old, next) => [next], `${newAuth},${oldAuth}`);
  await proveUnrefused(load);
  for (const service of ROLLED) expect(stack.logs(service)).not.toMatch(/"alarm":"forged_/);
}, 240_000);

test("every service changes over to its other database login, and the first one is closed", async () => {
  const load = underLoad();
  const changeOver = async (name: Rolled) => {
    const login = { role: loginOf(name, "b"), password: secret() };
    await openLogin(stack.adminUrl, name, login);
    const DATABASE_URL = addressOf(stack.adminUrl, databaseOf(name), login);
    await services[name].roll({ DATABASE_URL });
    await closeLogin(stack.adminUrl, loginOf(name, "a"));
  };
  await Promise.all(ROLLED.map(changeOver));
  await proveUnrefused(load);
  for (const name of ROLLED) await expect(connect(stack.databaseUrl(name))).rejects.toThrow("not permitted to log in");
}, 180_000);

test("after all of that every kobo is accounted for, every payout was sent once, and every webhook is signed", async () => {
  await proveCompleted(stack, shop, payouts);
  await proveNothingLost(stack, traffic);
  await untilEverythingHolds(stack);
  // The bank no longer accepts the former secret: nothing uses it.
  await stack.service("bank-simulator").restart({ env: { BANK_API_SECRET: newApi } });
  const load = underLoad();
  await proveUnrefused(load);
});

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}
