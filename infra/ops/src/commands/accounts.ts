import { retireCustomerAccount } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, type ModeOption, mode } from "../options.ts";
import { type Output, print } from "../print.ts";

export function accountCommand(): Command {
  const command = new Command("account").description("customer accounts");
  command
    .command("retire <merchant> <customer-reference>")
    .description("retire an account permanently; money that still arrives is credited and flagged")
    .addOption(mode())
    .addOption(json())
    .action((merchant: string, reference: string, options: Output & ModeOption) =>
      retire(merchant, reference, options),
    );
  return command;
}

function retire(id: string, customer_reference: string, { mode, json }: Output & ModeOption): Promise<void> {
  return withBus(async (send) => {
    const account = await send(retireCustomerAccount, { merchant: { id, mode }, customer_reference });
    print(account, { json }, () => `${account.account_number} of ${account.customer_reference} is ${account.status}`);
  });
}
