import { returnPayout, takeBackReturn } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, merchant, reason } from "../options.ts";
import { type Output, print } from "../print.ts";

type Options = Output & { merchant: string; line: string; reason: string };

const command = (name: string) =>
  new Command(name)
    .argument("<transfer>", "its id, which the bank has as our reference")
    .addOption(merchant())
    .addOption(json());

/** `payouts returned` and `take-back-return`: what the bank took back without saying so, and only its statement shows. */
export function returnedCommands(): Command[] {
  return [
    command("returned")
      .description(
        "give a payout back to the merchant that the bank returned after its success, as its statement shows",
      )
      .requiredOption("--line <line>", "the line of the statement with which the money came back")
      .addOption(reason("how you know that it is this payout; for the operators"))
      .action((reference: string, { merchant: merchant_id, line, reason, json }: Options) =>
        withBus(async (send) => {
          const returned = await send(returnPayout, { merchant_id, reference, line, reason });
          print(returned, { json }, () => `${reference} is ${returned.status}`);
        }),
      ),
    command("take-back-return")
      .description("free a payout and a line that were named wrongly, where the return was not carried out")
      .requiredOption("--line <line>", "the line of the statement that was named")
      .addOption(reason("why; for the operators"))
      .action((reference: string, { merchant: merchant_id, line, reason, json }: Options) =>
        withBus(async (send) => {
          const kept = await send(takeBackReturn, { merchant_id, reference, line, reason });
          print(kept, { json }, () => `${reference} is ${kept.status}, and the line ${line} is not kept for it`);
        }),
      ),
  ];
}
