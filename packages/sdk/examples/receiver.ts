import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { type Collection, verifyWebhook, WebhookVerificationError } from "@collect/sdk";
import { readConfig } from "./config.ts";

/**
 * A merchant's server that credits its customers: WEBHOOK_SECRET=whsec_… PORT=3000 node packages/sdk/examples/receiver.ts
 * It verifies the raw bytes before it trusts them, credits each reference once, and only then acknowledges. A failed event is
 * not acknowledged, so it is sent again.
 */
const { secret, port, file } = readConfig();
const database = openDatabase(file);
const insertCredit = database.prepare("insert or ignore into credited (reference, kobo) values (?, ?)");
const addToBalance = database.prepare(
  "insert into balances (customer, kobo) values (?, ?) on conflict do update set kobo = kobo + excluded.kobo",
);
const server = createServer(receive);
server.listen(port, "127.0.0.1", () => say(`listening on http://127.0.0.1:${port}/`));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const event = verifyWebhook(await rawBody(request), request.headers, secret);
    if (event.event === "collection.success") say(`${credit(event.data)} (${event.mode}, ${event.data.reference})`);
    else say(`${event.event} ${event.data.reference}`);
    response.writeHead(200).end();
  } catch (error) {
    say(`refused: ${error instanceof Error ? error.message : error}`);
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}

/** The raw bytes; a body parser in front of this would lose what was signed. */
async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 1_000_000) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The reference and the customer's new balance are committed together: a repeated event, concurrent or after a restart, finds
 * its reference there and changes nothing.
 */
function credit({ reference, amount, customer_reference }: Collection): string {
  const customer = customer_reference ?? "unknown customer";
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
