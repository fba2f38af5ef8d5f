import { closeRefusedReversal } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, reason } from "../options.ts";
import { type Output, print } from "../print.ts";

/** `transfer close-reversal`: what the ledger refuses, once a person has settled it. */
export function closeReversalCommand(): Command {
  return new Command("close-reversal")
    .argument("<reversal>", "its intake id, the key of its dead letter: int_…")
    .description("stop driving a reversal that the ledger refuses, and delete its dead letters; nothing is booked")
    .addOption(reason("what the bank says, and how it was settled with the merchant; for the operators"))
    .addOption(json())
    .action((intake_id: string, { reason, ...output }: Output & { reason: string }) =>
      withBus(async (send) => {
        const closed = await send(closeRefusedReversal, { intake_id, reason });
        print(closed, output, () =>
          closed.status === "duplicate"
            ? `${intake_id} was closed before.`
            : `${intake_id} is closed: ${closed.refusal}.`,
        );
      }),
    );
}
