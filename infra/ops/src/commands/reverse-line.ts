import { getStatementLine, reportMissedReversal } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, kobo, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type Options = Output & { of: string; amount?: string; despitePayout?: string[]; reason: string };

/** `statements reverse`: what the bank took back without reporting it, and only its statement shows. */
export function reverseCommand(): Command {
  return new Command("reverse")
    .argument("<line>")
    .description(
      "take a transfer back from its merchant that the bank took back, or a part of it, as its statement shows",
    )
    .requiredOption("--of <intake>", "the intake id of the transfer: int_…")
    .option(
      "--amount <naira>",
      "what is taken back of the transfer, if it is more than the line because the bank gave back its charges",
      kobo,
    )
    .option(
      "--despite-payout <transfer...>",
      "the payouts of the line's amount and account, if the bank's staff confirm that the line is none of them",
    )
    .addOption(reason("how you know that it is this transfer; for the operators"))
    .addOption(json())
    .action((line: string, { of: intake_id, amount, despitePayout: despite_payouts, reason, json }: Options) =>
      withBus(async (send) => {
        const taken = amount ?? (await send(getStatementLine, { line })).amount.replace("-", "");
        const reversed = await send(reportMissedReversal, { line, intake_id, amount: taken, despite_payouts, reason });
        print(reversed, { ...(json && { json }) }, () =>
          reversed.status === "duplicate"
            ? `It was taken back before: ${reversed.reversal_id}.`
            : `${naira(taken)} is taken back of ${intake_id}: ${reversed.reversal_id}.`,
        );
      }),
    );
}
