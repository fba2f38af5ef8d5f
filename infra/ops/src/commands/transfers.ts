import { setTimeout as sleep } from "node:timers/promises";
import { allocateTransfer, getRedrives, listExceptions, redriveTransfers } from "@collect/contracts";
import { Command } from "commander";
import { asking } from "../ask.ts";
import { json, type ModeOption, mode } from "../options.ts";
import { type Output, print } from "../print.ts";

export function transferCommand(): Command {
  const command = new Command("transfer").description("money that came in");
  command
    .command("allocate <intake>")
    .description(
      "give money that stands in suspense to the customer, or to the merchant whose collection account it came into",
    )
    .requiredOption("--merchant <merchant>", "whose it is")
    .addOption(mode())
    .option("--customer <reference>", "the customer it was meant for")
    .addOption(json())
    .action((intake: string, options: AllocateOptions) => allocate(intake, options));
  return command;
}

export function redriveCommand(): Command {
  return new Command("redrive")
    .description(
      "send every transfer received in [from, to) round the path again, completed ones too, as fast as the path takes them; the same again goes on where it was",
    )
    .requiredOption("--from <time>", "RFC 3339, such as 2026-11-21T09:30:00+00:00")
    .requiredOption("--to <time>", "RFC 3339; this time is not included")
    .addOption(json())
    .action((options: Output & { from: string; to: string }) => redrive(options));
}

export function exceptionsCommand(): Command {
  return new Command("exceptions")
    .description("transfers a person must look at: quarantined, unallocated, unfinished")
    .addOption(json())
    .action((options: Output) => exceptions(options));
}

const FOLLOW_EVERY_MS = 1_000;

type AllocateOptions = Output & ModeOption & { merchant: string; customer?: string };

function allocate(intake_id: string, { merchant, mode, customer, json }: AllocateOptions): Promise<void> {
  return asking(async (ask) => {
    const input = { intake_id, merchant: { id: merchant, mode }, customer_reference: customer };
    const result = await ask(allocateTransfer, input);
    print(result, { json }, () => `${intake_id} ${result.allocated ? "is allocated" : "was allocated before"}`);
  });
}

/** Begins it and follows it to its end; whoever stops following it does not stop it. */
function redrive({ from, to, json }: Output & { from: string; to: string }): Promise<void> {
  return asking(async (ask) => {
    let { redrives } = await ask(redriveTransfers, { from, to });
    const ids = redrives.map(({ id }) => id);
    while (redrives.some(({ finished_at }) => finished_at === null)) {
      await sleep(FOLLOW_EVERY_MS);
      ({ redrives } = await ask(getRedrives, { ids }));
      if (!json)
        console.error(redrives.map((each) => `${each.mode}: ${each.redriven}, up to ${each.reached}`).join("; "));
    }
    const redriven = redrives.reduce((sum, each) => sum + each.redriven, 0);
    print({ redriven, redrives }, { json }, () => `${redriven} transfers are on their way again`);
  });
}

function exceptions(output: Output): Promise<void> {
  return asking(async (ask) => {
    const found = await ask(listExceptions, {});
    const { quarantined, unallocated, unfinished } = found;
    print(found, output, () =>
      [
        `${quarantined.length} quarantined, ${unallocated.length} unallocated, ${unfinished.length} unfinished`,
        ...quarantined.map(
          (row) => `quarantined  ${row.bank_transfer_id} (${row.mode}) ${row.received_at} ${row.reason}`,
        ),
        ...unallocated.map(
          (row) =>
            `unallocated  ${row.intake_id} (${row.mode}) ${row.received_at} ${row.amount_kobo} kobo into ${row.account_number}`,
        ),
        ...unfinished.map(
          (row) => `unfinished   ${row.intake_id} (${row.mode}) ${row.received_at} sent ${row.drives} times`,
        ),
      ].join("\n"),
    );
  });
}
