import { getOwnBalances } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print, shown } from "../print.ts";

export function booksCommand(): Command {
  return new Command("books")
    .description("show the balances of our own ledger accounts: bank, bank charges, own funds, fees and suspense")
    .addOption(json())
    .action((options: Output) => books(options));
}

function books(options: Output): Promise<void> {
  return withBus(async (send) => {
    const { modes } = await send(getOwnBalances, {});
    const linesOf = ({ mode, bank, bank_charges, own_funds = 0, fees, suspense }: (typeof modes)[number]) =>
      `${mode}: ${shown(bank)} at the bank, ${shown(bank_charges)} kept by banks, ${shown(own_funds)} of own funds, ` +
      `${shown(fees)} of fees, ${shown(suspense)} in suspense`;
    print({ modes }, options, () => modes.map(linesOf).join("\n"));
  });
}
