import { findPayout, Problem, type WireResult } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

/** `payouts find`: whose payout it is that a line of the bank names. */
export const findCommand = () =>
  new Command("find")
    .argument("<transfer>", "its id, which the bank has as our reference")
    .description("a live payout by its id, with its merchant and how it stands")
    .addOption(json())
    .action((transfer: string, output: Output) => find(transfer, output));

function find(reference: string, output: Output): Promise<void> {
  return withBus(async (send) => {
    const { payout } = await send(findPayout, { reference });
    if (payout === null) throw new Problem("not_found", "There is no such live payout.");
    print({ payout }, output, () => linesOf(payout).join("\n"));
  });
}

type Payout = NonNullable<WireResult<typeof findPayout>["payout"]>;

const linesOf = ({ reference, merchant_id, partner, bank_code, account_number, ...payout }: Payout) => [
  `${reference} of ${merchant_id}`,
  `  amount   ₦${naira(payout.amount)} to ${account_number} at ${bank_code}`,
  `  state    ${payout.status}`,
  `  sent by  ${partner ?? "a partner that is not known"}`,
  `  ordered  ${payout.ordered_at}`,
];
