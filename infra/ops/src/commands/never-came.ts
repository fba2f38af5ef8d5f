import { creditLateTransfer, findReceivedTransfers, Problem, reverseMissingCredit } from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type Options = Output & { despiteLine?: string[]; reason: string };

/** `statements never-came`: what a partner reported, and its statements do not have. */
export function neverCameCommand(): Command {
  return new Command("never-came")
    .argument("<intake>", "the intake id of the transfer: int_…")
    .description(
      "take a transfer back from its merchant that the bank reported and never had, as the statements of its account prove",
    )
    .option(
      "--despite-line <line...>",
      "the lines that may be the transfer, if the bank's staff confirm that it is none of them",
    )
    .addOption(reason("how you know that the bank never had it; for the operators"))
    .addOption(json())
    .action((intake_id: string, { despiteLine: despite_lines, reason, json }: Options) =>
      withBus(async (send) => {
        const amount = await amountOf(send, intake_id);
        const reversed = await send(reverseMissingCredit, { intake_id, amount, despite_lines, reason });
        print(reversed, { ...(json && { json }) }, () =>
          reversed.status === "duplicate"
            ? `It was taken back before: ${reversed.reversal_id}.`
            : `${naira(amount)} is taken back of ${intake_id}: ${reversed.reversal_id}.`,
        );
      }),
    );
}

/** `statements came-after-all`: what was taken back as never come, and a later statement has. */
export function cameAfterAllCommand(): Command {
  return new Command("came-after-all")
    .argument("<line>")
    .description("credit a transfer once more that was taken back as never come, by the line with which it came late")
    .requiredOption("--of <intake>", "the intake id of the transfer that was taken back: int_…")
    .addOption(reason("how you know that it is this transfer; for the operators"))
    .addOption(json())
    .action((line: string, { of: intake_id, reason, json }: Output & { of: string; reason: string }) =>
      withBus(async (send) => {
        const amount = await amountOf(send, intake_id);
        const credited = await send(creditLateTransfer, { line, intake_id, amount, reason });
        print(credited, { ...(json && { json }) }, () => `${credited.intake_id} is ${credited.status}.`);
      }),
    );
}

/** The act names it, so that another operator approves a sum. */
async function amountOf(send: SendRequest, intake_id: string): Promise<string> {
  const { transfers } = await send(findReceivedTransfers, { by: { intake_id } });
  const amount = transfers[0]?.amount;
  if (amount === undefined) throw new Problem("not_found", "There is no such transfer.");
  return amount;
}
