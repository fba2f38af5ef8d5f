import { join } from "node:path";
import { CustomerAccount, SimulationResult } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { type Client, check, merchantClient, show, type Webhook } from "./demo-client.ts";
import { playSession } from "./demo-sessions.ts";
import { AT_TEST_BANK, atOtherBank, playTransfers } from "./demo-transfers.ts";
import { Demo, readJson } from "./files.ts";
import { runningStack } from "./running.ts";
import { loadSettings } from "./settings.ts";
import { type SimulatedBank, simulatedBank } from "./simulated-bank.ts";

/** npm run demo: the main flows in both modes against the running stack, as a merchant's server over HTTP; only settlements are run as the operator. */
try {
  const settings = loadSettings();
  const { LOCAL_DIRECTORY: directory } = settings;
  const stack = await runningStack(directory);
  const demo = await readJson(join(directory, "demo.json"), Demo);
  check(
    stack !== undefined && demo !== undefined,
    "the stack is not running: run npm start, then repeat this in another terminal",
  );
  const client = (mode: "test" | "live") => merchantClient(demo, { mode, receiverUrl: stack.receiver_url });
  const customer = `demo_${Date.now().toString(36)}`;
  const bank = simulatedBank(stack);
  const transfers = { merchantId: demo.merchant.id, settings, run: customer };

  await playTest(client("test"), customer);
  await playSession(client("test"), customer);
  await playTransfers(client("test"), { ...transfers, payees: AT_TEST_BANK });
  await playRefusals(client("test"), client("live"), customer);
  await playLive(client("live"), customer, bank);
  await playTransfers(client("live"), { ...transfers, payees: atOtherBank(bank) });
  console.log("\nAll checks passed.");
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function playTest(merchant: Client, customer: string): Promise<void> {
  console.log(`\nTest mode: the payment is simulated, everything after it is the real path\n`);
  const before = await merchant.balance();
  const account = await issueAccount(merchant, customer);
  const simulate = async (outcome: string, amount: number) => {
    const { status, body } = await merchant.call("POST", `/customer_accounts/${customer}/simulate_payment`, {
      outcome,
      amount,
    });
    check(status === 200, `simulating ${outcome} returned ${status}: ${JSON.stringify(body)}`);
    return SimulationResult.parse(body);
  };

  const paid = await simulate("paid", 2500.73);
  const underpaid = await simulate("underpaid", 1000);
  const expired = await simulate("expired", 1000);
  const overpaid = await simulate("overpaid", 1000);
  check(paid.amount === 250_073n, "paid did not send the exact amount");
  check(
    underpaid.amount === 90_000n && overpaid.amount === 110_000n,
    "underpaid and overpaid did not send 90 % and 110 %",
  );
  show(
    `simulated paid ${formatNaira(paid.amount)}, underpaid ${formatNaira(underpaid.amount)}, overpaid ${formatNaira(overpaid.amount)}, expired`,
    "each outcome sends the expected amount",
  );
  check(!expired.credited, "an expired payment was credited");

  const webhooks = await merchant.untilWebhooks(3, (webhook) => webhook.customer_reference === customer);
  checkWebhooks(webhooks, { account, references: [paid.reference, underpaid.reference, overpaid.reference] });
  const [first, , last] = webhooks;
  check(first !== undefined && last?.sequence === first.sequence + 2, "the webhooks are not numbered consecutively");
  show(
    `3 webhooks, numbered ${first.sequence} to ${last.sequence}`,
    "none is missing, and none was sent for the expired payment",
  );
  checkBalance(before, await merchant.balance(), webhooks);
}

async function playRefusals(test: Client, live: Client, customer: string): Promise<void> {
  console.log(`\nThe key decides the mode\n`);
  const elsewhere = await live.call("GET", `/customer_accounts/${customer}`);
  check(elsewhere.status === 404, `the test account is visible with the live key (${elsewhere.status})`);
  const simulated = await live.call("POST", `/customer_accounts/${customer}/simulate_payment`, {
    outcome: "paid",
    amount: 1,
  });
  check(simulated.status === 403, `a live key could simulate money (${simulated.status})`);
  const unknown = await test.call("GET", "/customer_accounts/unknown");
  check(unknown.status === 404, `an unknown customer returned ${unknown.status}`);
  show("live key on the test account: 404; on the simulator: 403", "test and live are isolated");
}

async function playLive(merchant: Client, customer: string, bank: SimulatedBank): Promise<void> {
  console.log(
    `\nLive mode: the partner bank, ${bank.name} (its simulator), issues the account and reports a transfer\n`,
  );
  const before = await merchant.balance();
  if (bank.identity.bvn) await checkIdentityRequired(merchant, customer);
  const account = await issueAccount(merchant, customer, bank.identity);
  const { account_number } = account;
  const report = () =>
    bank.report({ id: `transfer_${customer}`, account_number, amount: 5000.5, payer_name: "Funke Lawal" });

  check((await report()) === "accepted", "the bank door did not take the transfer as a new one");
  show("the bank reported ₦5,000.50 from Funke Lawal, signed", "the bank door committed it before it responded");

  const webhooks = await merchant.untilWebhooks(1, (webhook) => webhook.customer_reference === customer);
  checkWebhooks(webhooks, { account, references: webhooks.map(({ reference }) => reference) });
  check(
    webhooks[0]?.amount === 500_050n && webhooks[0].payer_name === "Funke Lawal",
    "the webhook does not match the bank's report",
  );
  const balance = await merchant.balance();
  checkBalance(before, balance, webhooks);

  check((await report()) === "duplicate", "the bank door did not take the repeat as one");
  const after = await merchant.balance();
  check(
    after.collected === balance.collected && after.ledger_sequence === balance.ledger_sequence,
    "a repeated transfer moved the balance",
  );
  const all = await merchant.webhooks((webhook) => webhook.customer_reference === customer);
  check(all.length === 1, "a repeated transfer was sent to the merchant twice");
  show("the bank reported the same transfer again", "it is a duplicate: the balance and the events do not change");
}

async function checkIdentityRequired(merchant: Client, customer: string): Promise<void> {
  const withoutBvn = { customer_reference: customer, customer_name: "Ada Obi" };
  const { status, body } = await merchant.call("POST", "/customer_accounts", withoutBvn);
  check(
    status === 400 && JSON.stringify(body).includes('"identity_required"'),
    `an account without a BVN returned ${status}: ${JSON.stringify(body)}`,
  );
  show("an account without the customer's BVN: 400 identity_required", "it is passed on to the bank, and kept nowhere");
}

async function issueAccount(merchant: Client, customer: string, identity = {}): Promise<CustomerAccount> {
  const body = { customer_reference: customer, customer_name: "Ada Obi", ...identity };
  const created = await merchant.call("POST", "/customer_accounts", body);
  check(created.status === 201, `issuing the account returned ${created.status}: ${JSON.stringify(created.body)}`);
  const account = CustomerAccount.parse(created.body);
  check(account.mode === merchant.mode, `the account is of mode ${account.mode}`);
  const repeated = await merchant.call("POST", "/customer_accounts", body);
  check(repeated.status === 200, `repeating the call returned ${repeated.status}`);
  check(JSON.stringify(repeated.body) === JSON.stringify(created.body), "repeating the call issued another account");
  show(
    `account ${account.account_number} at ${account.bank_name} for "${account.account_name}"`,
    "201, and 200 with the same body when repeated",
  );
  return account;
}

function checkWebhooks(webhooks: Webhook[], expected: { account: CustomerAccount; references: string[] }): void {
  const { account, references } = expected;
  check(
    webhooks.length === references.length,
    `${webhooks.length} webhooks were received instead of ${references.length}`,
  );
  webhooks.forEach((webhook, index) => {
    check(webhook.reference === references[index], `webhook ${webhook.sequence} is about ${webhook.reference}`);
    check(webhook.account_number === account.account_number, "a webhook has another account number");
    check(
      webhook.amount === webhook.fee + webhook.net,
      `the fee and the net of ${webhook.reference} do not add up to its amount`,
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
  check(
    after.collected === before.collected + net,
    `collected went from ${before.collected} to ${after.collected} kobo, not by ${net}`,
  );
  show(
    `collected ${formatNaira(before.collected)} → ${formatNaira(after.collected)}`,
    `exactly the net of the webhooks, ${formatNaira(net)}`,
  );
}
