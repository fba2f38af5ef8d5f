import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { type CollectionSuccessEvent, createReceiver } from "@collect/sdk";
import { readConfig } from "./config.ts";

/**
 * A merchant's server that credits its customers: WEBHOOK_SECRET=whsec_… PORT=3000 node packages/sdk/examples/receiver.ts
 * The SDK's receiver verifies the raw bytes and answers the URL's challenge; this credits each reference once, and only then is the
 * event acknowledged. A failed event is not acknowledged, so it is sent again.
 */
const { secret, port, file } = readConfig();
const database = openDatabase(file);
const insertCredit = database.prepare("insert or ignore into credited (reference, kobo) values (?, ?)");
const addToBalance = database.prepare(
  "insert into balances (customer, kobo) values (?, ?) on conflict do update set kobo = kobo + excluded.kobo",
);
const receive = createReceiver({
  secret,
  onEvent(event) {
    if (event.event === "collection.success" || event.event === "collection.attached")
      say(`${credit(event.data)} (${event.mode}, ${event.data.reference})`);
    else say(`${event.event} ${event.data.reference}`);
  },
  onError: (error) => say(`refused: ${error instanceof Error ? error.message : error}`),
});
const server = createServer(receive);
server.listen(port, "127.0.0.1", () => say(`listening on http://127.0.0.1:${port}/`));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);

/**
 * The reference and the customer's new balance are committed together: a repeated event, concurrent or after a restart, finds
 * its reference there and changes nothing.
 */
function credit({ reference, amount, ...money }: CollectionSuccessEvent["data"]): string {
  // The customer, your order, or the session. With none of them nobody is credited until your team has attached the money, which sends
  // `collection.attached` with the same reference.
  const customer = money.customer_reference ?? money.merchant_reference ?? money.payment_reference;
  if (customer === null) return `${amount} belongs to no customer yet`;
  const kobo = Math.round(amount * 100);
  database.exec("begin immediate");
  try {
    const { changes } = insertCredit.run(reference, kobo);
    if (changes === 1) addToBalance.run(customer, kobo);
    database.exec("commit");
    return changes === 1 ? `credited ${amount} to ${customer}` : "already credited";
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

function openDatabase(path: string): DatabaseSync {
  const opened = new DatabaseSync(path);
  opened.exec(`
    create table if not exists credited (reference text primary key, kobo integer not null);
    create table if not exists balances (customer text primary key, kobo integer not null)`);
  return opened;
}

function stop(): void {
  server.close(() => database.close());
  server.closeIdleConnections();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
