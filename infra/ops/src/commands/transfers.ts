import { setTimeout as sleep } from "node:timers/promises";
import {
  allocateTransfer,
  EXCEPTIONS_MAX,
  getRedrives,
  listExceptions,
  redriveTransfers,
  type WireResult,
} from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, type ModeOption, mode } from "../options.ts";
import { age, naira, type Output, print } from "../print.ts";
import { closeReversalCommand } from "./close-reversal.ts";
import { transferShowCommand } from "./transfer-show.ts";

export function transferCommand(): Command {
  const command = new Command("transfer").description("incoming transfers");
  command
    .command("allocate <intake>")
    .description(
      "allocate money in suspense to a customer, or to the merchant that owns the collection account it was paid into",
    )
    .requiredOption("--merchant <merchant>", "the merchant to credit")
    .addOption(mode())
    .option("--customer <reference>", "the customer to credit")
    .addOption(json())
    .action((intake: string, options: AllocateOptions) => allocate(intake, options));
  command.addCommand(transferShowCommand());
  command.addCommand(closeReversalCommand());
  return command;
}

export function redriveCommand(): Command {
  return new Command("redrive")
    .description(
      "republish every transfer received in [from, to), including completed ones, as fast as the pipeline accepts them; run the same command again to resume",
    )
    .requiredOption("--from <time>", "RFC 3339, such as 2026-11-21T09:30:00+00:00")
    .requiredOption("--to <time>", "RFC 3339; this time is not included")
    .addOption(json())
    .action((options: Output & { from: string; to: string }) => redrive(options));
}

export function exceptionsCommand(): Command {
  return new Command("exceptions")
    .description("list transfers that need attention: quarantined, unallocated, unfinished")
    .addOption(json())
    .action((options: Output) => exceptions(options));
}

const POLL_INTERVAL_MS = 1_000;

type AllocateOptions = Output & ModeOption & { merchant: string; customer?: string };

function allocate(intake_id: string, { merchant, mode, customer, json }: AllocateOptions): Promise<void> {
  return withBus(async (send) => {
    const input = { intake_id, merchant: { id: merchant, mode }, customer_reference: customer };
    const result = await send(allocateTransfer, input);
    print(result, { json }, () => `${intake_id} ${result.allocated ? "is allocated" : "was already allocated"}`);
  });
}

/** Starts the redrive and polls it until it has finished. Interrupting the command does not stop the redrive. */
function redrive({ from, to, json }: Output & { from: string; to: string }): Promise<void> {
  return withBus(async (send) => {
    let { redrives } = await send(redriveTransfers, { from, to });
    const ids = redrives.map(({ id }) => id);
    while (redrives.some(({ finished_at }) => finished_at === null)) {
      await sleep(POLL_INTERVAL_MS);
      ({ redrives } = await send(getRedrives, { ids }));
      if (!json)
        console.error(redrives.map((each) => `${each.mode}: ${each.redriven}, up to ${each.reached}`).join("; "));
    }
    const redriven = redrives.reduce((sum, each) => sum + each.redriven, 0);
    print({ redriven, redrives }, { json }, () => `${redriven} transfers were republished`);
  });
}

function exceptions(output: Output): Promise<void> {
  return withBus(async (send) => {
    const found = await send(listExceptions, {});
    const { quarantined, unallocated, unfinished, reversals = [] } = found;
    print(found, output, () =>
      [
        `${counted(quarantined)} quarantined, ${counted(unallocated)} unallocated, ${counted(unfinished)} unfinished, ${counted(reversals)} reversals that wait`,
        ...quarantined.map(quarantinedLine),
        ...unallocated.map(
          (row) =>
            `unallocated  ${row.intake_id} (${row.mode}) ${row.received_at} ${row.amount_kobo} kobo by ${row.bank} into ${row.account_number}`,
        ),
        ...unfinished.map(
          (row) => `unfinished   ${row.intake_id} (${row.mode}) ${row.received_at} sent ${row.drives} times`,
        ),
        ...reversals.map(
          (row) =>
            `reversal     ${row.intake_id} ${row.bank_transfer_id} (${row.mode}) ${row.received_at} ${row.amount_kobo} kobo, ${row.waits_for_transfer ? "waits for its transfer" : "on its way"}`,
        ),
      ].join("\n"),
    );
  });
}

type Quarantined = WireResult<typeof listExceptions>["quarantined"][number];

/** A release before the amounts lists none. */
export function quarantinedLine({ bank_transfer_id, bank, mode, received_at, reason, ...row }: Quarantined): string {
  const { amount_kobo, currency = "NGN", account_number, merchant_id, customer_reference, times = 1 } = row;
  return [
    `quarantined  ${bank_transfer_id} of ${bank} (${mode})`,
    ...(amount_kobo === undefined ? [] : [` ${currency} ${naira(amount_kobo)} into ${account_number}`]),
    ...(merchant_id ? [` of ${merchant_id}`] : []),
    ...(customer_reference ? [`'s customer ${customer_reference}`] : []),
    ` ${received_at}, ${age(received_at)} ago`,
    ...(times > 1 ? [`, ${times} times`] : []),
    `: ${reason}`,
  ].join("");
}

const counted = ({ length }: unknown[]): string => (length < EXCEPTIONS_MAX ? `${length}` : `at least ${length}`);
