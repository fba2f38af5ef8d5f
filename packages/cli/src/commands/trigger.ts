import { randomUUID } from "node:crypto";
import { type Client, CollectError, type Event } from "@collect/sdk";
import { Argument, Command } from "commander";
import { testContextOf } from "../context.ts";
import { lastSequence } from "../event-log.ts";
import { amount } from "../options.ts";
import { printLines } from "../print.ts";
import { lineOf } from "./listen.ts";

type TriggerOptions = { amount: number; customer?: string; payment?: string };
type Kind = (typeof KINDS)[number];

const KINDS = ["collection.success", "transfer.success", "transfer.failed", "transfer.reversed"] as const;
/** The accounts of the Test Bank whose transfers end so. */
const TEST_BANK = { code: "000", success: "0000000017", failed: "0000000024", reversed: "0000000055" };
/** The event of a simulation is there within seconds; a reversal comes after the success. */
const TIMEOUT_MS = 60_000;

const STANDING = `the test clock is ahead and stands still, so no payout is returned: order one to ${TEST_BANK.reversed}, then \`clock advance 1m\``;

export function triggerCommand(): Command {
  return new Command("trigger")
    .description("let an event happen in test mode, and print it; test keys only")
    .addArgument(new Argument("<event>").choices(KINDS))
    .addOption(amount().default(2_500))
    .option("--customer <customer_reference>", "collection.success: pay into this customer's account")
    .option("--payment <reference>", "collection.success: pay this session what it asks for")
    .action(async (kind: Kind, options: TriggerOptions, self: Command) => {
      const { collect, json } = testContextOf(self);
      if (kind === "transfer.reversed" && (await collect.getTestClock()).ahead_by > 0) throw new Error(STANDING);
      const before = await lastSequence(collect);
      const reference =
        kind === "collection.success" ? await pay(collect, options) : await send(collect, kind, options);
      const event = await eventAbout(collect, { kind, reference, after_sequence: before });
      printLines([json ? JSON.stringify(event) : lineOf(event)]);
    });
}

async function pay(collect: Client, { amount, customer, payment }: TriggerOptions): Promise<string> {
  const outcome = "paid";
  if (customer !== undefined) return (await collect.simulatePayment(customer, { outcome, amount })).reference;
  if (payment !== undefined) return (await collect.sandboxPay({ outcome, payment_reference: payment })).reference;
  return (await collect.sandboxPay({ outcome, amount })).reference;
}

/** A transfer to the Test Bank, of test money that is collected and settled first if there is too little. */
async function send(
  collect: Client,
  kind: Exclude<Kind, "collection.success">,
  { amount }: TriggerOptions,
): Promise<string> {
  const order = {
    amount,
    bank_code: TEST_BANK.code,
    account_number: TEST_BANK[kind.slice("transfer.".length) as "success" | "failed" | "reversed"],
    reference: `trigger-${randomUUID()}`,
  };
  try {
    return (await collect.createTransfer(order)).reference;
  } catch (error) {
    if (!(error instanceof CollectError && error.code === "insufficient_balance")) throw error;
    await collect.sandboxPay({ outcome: "paid", amount: amount * 2 + 1_000 });
    await collect.sandboxSettle();
    return (await collect.createTransfer(order)).reference;
  }
}

type Wanted = { kind: Kind; reference: string; after_sequence: number };

async function eventAbout(collect: Client, { kind, reference, after_sequence }: Wanted): Promise<Event> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for await (const event of collect.followEvents({ after_sequence, signal }))
    if (event.event === kind && event.reference === reference) return event;
  throw new Error(`${kind} of ${reference} was not recorded within ${TIMEOUT_MS / 1_000} s`);
}
