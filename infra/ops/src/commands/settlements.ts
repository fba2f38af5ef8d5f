import { runSettlement, setSettlementSchedule, showMerchant } from "@collect/contracts";
import { Command } from "commander";
import { asking } from "../ask.ts";
import { days, json, type ModeOption, merchant, mode } from "../options.ts";
import { type Output, print } from "../print.ts";

export function settlementCommand(): Command {
  const command = new Command("settlement").description("what was collected becomes the merchant's");
  command
    .command("run")
    .description("settle now what a merchant has collected; again, without new money, it does nothing")
    .addOption(merchant())
    .addOption(mode())
    .addOption(json())
    .action((options: Output & ModeOption & { merchant: string }) => run(options));
  command
    .command("schedule")
    .description(
      "settle a merchant's collections so many days later, at this time of Lagos, instead of 1 day and 06:00",
    )
    .addOption(merchant())
    .requiredOption("--delay-days <days>", "1 to 30", days)
    .requiredOption("--at <time>", "such as 06:00")
    .addOption(json())
    .action((options: Output & { merchant: string; delayDays: number; at: string }) => schedule(options));
  return command;
}

function run({ merchant: id, mode, json }: Output & ModeOption & { merchant: string }): Promise<void> {
  return asking(async (ask) => {
    await ask(showMerchant, { merchant_id: id });
    const { settlement } = await ask(runSettlement, { merchant: { id, mode } });
    print({ settlement }, { json }, () =>
      settlement
        ? `₦${settlement.amount} moved from Collected to Settled (${settlement.reference}, entries ${settlement.from_version + 1} to ${settlement.to_version})`
        : "There was nothing to settle.",
    );
  });
}

function schedule(options: Output & { merchant: string; delayDays: number; at: string }): Promise<void> {
  return asking(async (ask) => {
    await ask(showMerchant, { merchant_id: options.merchant });
    const input = { merchant_id: options.merchant, delay_days: options.delayDays, at: options.at };
    const set = await ask(setSettlementSchedule, input);
    print(set, options, () => `${set.merchant_id} is settled ${set.delay_days} days later, at ${set.at} in Lagos`);
  });
}
