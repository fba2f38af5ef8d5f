import { join } from "node:path";
import { CustomerAccount, SimulationResult } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { z } from "zod";
import { type Client, hold, http, merchantClient, show, type Webhook } from "./demo-client.ts";
import { playSession } from "./demo-sessions.ts";
import { playTransfers } from "./demo-transfers.ts";
import { Demo, readJson } from "./files.ts";
import { runningStack } from "./running.ts";
import { loadSettings } from "./settings.ts";

/** What the bank simulator says about a transfer it sent, as far as it is looked at here. */
const Sent = z.object({
  answers: z.array(z.object({ status: z.int(), body: z.object({ status: z.string().optional() }) })),
});

/** npm run demo: the main job in both modes against the running stack, as a merchant's server sees it, over HTTP; only the settlement is the operator's. */
try {
  const { LOCAL_DIRECTORY: directory, NATS_URL, NATS_PORT } = loadSettings();
  const stack = await runningStack(directory);
  const demo = await readJson(join(directory, "demo.json"), Demo);
  hold(stack !== undefined && demo !== undefined, "the stack is not running: npm start, then this again beside it");
  const client = (mode: "test" | "live") => merchantClient(demo, { mode, receiverUrl: stack.receiver_url });
  const customer = `demo_${Date.now().toString(36)}`;

  await playTest(client("test"), customer);
  await playSession(client("test"), customer);
  const natsUrl = NATS_URL ?? `nats://127.0.0.1:${NATS_PORT}`;
  await playTransfers(client("test"), { merchantId: demo.merchant.id, natsUrl, run: customer });
  await playRefusals(client("test"), client("live"), customer);
  await playLive(client("live"), customer, stack.bank_simulator_url);
  console.log("\nEverything held.");
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function playTest(merchant: Client, customer: string): Promise<void> {
  console.log(`\nTest mode: money is simulated, everything after it is the real path\n`);
  const before = await merchant.balance();
  const account = await openAccount(merchant, customer);
  const simulate = async (outcome: string, amount: number) => {
    const { status, body } = await merchant.call("POST", `/customer_accounts/${customer}/simulate_payment`, {
      outcome,
      amount,
    });
    hold(status === 200, `simulating ${outcome} was answered ${status}: ${JSON.stringify(body)}`);
    return SimulationResult.parse(body);
  };

  const paid = await simulate("paid", 2500.73);
  const underpaid = await simulate("underpaid", 1000);
  const expired = await simulate("expired", 1000);
  const overpaid = await simulate("overpaid", 1000);
  hold(paid.amount === 250_073n, "paid did not send what was owed");
  hold(
    underpaid.amount === 90_000n && overpaid.amount === 110_000n,
    "underpaid and overpaid did not send 90 % and 110 %",
  );
  show(
    `simulated paid ${formatNaira(paid.amount)}, underpaid ${formatNaira(underpaid.amount)}, overpaid ${formatNaira(overpaid.amount)}, expired`,
    "each outcome sends what it says",
  );
  hold(!expired.credited, "an expired payment was credited");

  const webhooks = await merchant.untilWebhooks(3, (webhook) => webhook.customer_reference === customer);
  checkWebhooks(webhooks, { account, references: [paid.reference, underpaid.reference, overpaid.reference] });
  const [first, , last] = webhooks;
  hold(
    first !== undefined && last?.sequence === first.sequence + 2,
    "the webhooks are not numbered one after the other",
  );
  show(
    `3 webhooks, numbered ${first.sequence} to ${last.sequence}`,
    "nothing is missing, and nothing was sent for the expired one",
  );
  checkBalance(before, await merchant.balance(), webhooks);
}

async function playRefusals(test: Client, live: Client, customer: string): Promise<void> {
  console.log(`\nThe key decides the mode\n`);
  const elsewhere = await live.call("GET", `/customer_accounts/${customer}`);
  hold(elsewhere.status === 404, `the test account is visible with the live key (${elsewhere.status})`);
  const simulated = await live.call("POST", `/customer_accounts/${customer}/simulate_payment`, {
    outcome: "paid",
    amount: 1,
  });
  hold(simulated.status === 403, `a live key could simulate money (${simulated.status})`);
  const unknown = await test.call("GET", "/customer_accounts/nobody");
  hold(unknown.status === 404, `an unknown customer was answered ${unknown.status}`);
  show("live key on the test account: 404; on the simulator: 403", "test and live do not touch");
}

async function playLive(merchant: Client, customer: string, bankUrl: string): Promise<void> {
  console.log(`\nLive mode: the partner bank (its simulator) issues the account and reports a transfer\n`);
  const before = await merchant.balance();
  const account = await openAccount(merchant, customer);
  const transfer = {
    id: `transfer_${customer}`,
    account_number: account.account_number,
    amount: 5000.5,
    payer_name: "Funke Lawal",
  };
  const sendByBank = async () => {
    const { status, body } = await http(`${bankUrl}/control/transfers`, { method: "POST", body: transfer });
    hold(status === 200, `the bank simulator answered ${status}: ${JSON.stringify(body)}`);
    return z.object({ transfers: z.array(Sent).length(1) }).parse(body).transfers[0]?.answers[0];
  };

  const accepted = await sendByBank();
  hold(
    accepted?.status === 200 && accepted.body.status === "accepted",
    `the bank door answered ${JSON.stringify(accepted)}`,
  );
  show("the bank reported ₦5,000.50 from Funke Lawal, signed", "the bank door has committed it before it answered");

  const webhooks = await merchant.untilWebhooks(1, (webhook) => webhook.customer_reference === customer);
  checkWebhooks(webhooks, { account, references: webhooks.map(({ reference }) => reference) });
  hold(
    webhooks[0]?.amount === 500_050n && webhooks[0].payer_name === "Funke Lawal",
    "the webhook does not tell what the bank said",
  );
  const balance = await merchant.balance();
  checkBalance(before, balance, webhooks);

  const again = await sendByBank();
  hold(again?.status === 200 && again.body.status === "duplicate", `the repeat was answered ${JSON.stringify(again)}`);
  const after = await merchant.balance();
  hold(
    after.collected === balance.collected && after.ledger_sequence === balance.ledger_sequence,
    "a repeated transfer moved the balance",
  );
  const all = await merchant.webhooks((webhook) => webhook.customer_reference === customer);
  hold(all.length === 1, "a repeated transfer was told to the merchant twice");
  show("the bank reported the same transfer again", "it is a duplicate: the balance and the events stay as they are");
}

async function openAccount(merchant: Client, customer: string): Promise<CustomerAccount> {
  const body = { customer_reference: customer, customer_name: "Ada Obi" };
  const created = await merchant.call("POST", "/customer_accounts", body);
  hold(created.status === 201, `opening the account was answered ${created.status}: ${JSON.stringify(created.body)}`);
  const account = CustomerAccount.parse(created.body);
  hold(account.mode === merchant.mode, `the account is of mode ${account.mode}`);
  const repeated = await merchant.call("POST", "/customer_accounts", body);
  hold(repeated.status === 200, `repeating the call was answered ${repeated.status}`);
  hold(JSON.stringify(repeated.body) === JSON.stringify(created.body), "repeating the call gave another account");
  show(
    `account ${account.account_number} at ${account.bank_name} for "${account.account_name}"`,
    "201, and 200 with the same body when repeated",
  );
  return account;
}

function checkWebhooks(webhooks: Webhook[], expected: { account: CustomerAccount; references: string[] }): void {
  const { account, references } = expected;
  hold(webhooks.length === references.length, `${webhooks.length} webhooks came instead of ${references.length}`);
  webhooks.forEach((webhook, index) => {
    hold(webhook.reference === references[index], `webhook ${webhook.sequence} is about ${webhook.reference}`);
    hold(webhook.account_number === account.account_number, "a webhook names another account");
    hold(
      webhook.amount === webhook.fee + webhook.net,
      `the fee and the net of ${webhook.reference} are not its amount`,
    );
    show(
      `collection.success ${webhook.reference}: ${formatNaira(webhook.amount)}, fee ${formatNaira(webhook.fee)}`,
      "signed over the raw bytes, with your own customer_reference",
    );
  });
}

type Balance = Awaited<ReturnType<Client["balance"]>>;
function checkBalance(before: Balance, after: Balance, webhooks: Webhook[]): void {
  const net = webhooks.reduce((sum, webhook) => sum + webhook.net, 0n);
  hold(
    after.collected === before.collected + net,
    `collected went from ${before.collected} to ${after.collected} kobo, not by ${net}`,
  );
  show(
    `collected ${formatNaira(before.collected)} → ${formatNaira(after.collected)}`,
    `exactly the net of the webhooks, ${formatNaira(net)}`,
  );
}
