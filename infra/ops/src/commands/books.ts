import { getOwnBalances } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

export function booksCommand(): Command {
  return new Command("books")
    .description("show the balances of our own ledger accounts: bank, bank charges, fees and suspense")
    .addOption(json())
    .action((options: Output) => books(options));
}

function books(options: Output): Promise<void> {
  return withBus(async (send) => {
    const { modes } = await send(getOwnBalances, {});
    const linesOf = ({ mode, bank, bank_charges, fees, suspense }: (typeof modes)[number]) =>
      `${mode}: ₦${bank} at the bank, ₦${bank_charges} kept by banks, ₦${fees} of fees, ₦${suspense} in suspense`;
    print({ modes }, options, () => modes.map(linesOf).join("\n"));
  });
}
