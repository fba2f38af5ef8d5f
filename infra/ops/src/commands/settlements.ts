import { runSettlement, setSettlementSchedule, showMerchant } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { days, json, type ModeOption, merchant, mode } from "../options.ts";
import { type Output, print, shown } from "../print.ts";

export function settlementCommand(): Command {
  const command = new Command("settlement").description("move collected money to the settled balance");
  command
    .command("run")
    .description("settle a merchant's collected money now; does nothing if there is no new money")
    .addOption(merchant())
    .addOption(mode())
    .addOption(json())
    .action((options: Output & ModeOption & { merchant: string }) => run(options));
  command
    .command("schedule")
    .description("set the settlement delay and the time of day in Lagos (default: 1 day, 06:00)")
    .addOption(merchant())
    .requiredOption("--delay-days <days>", "1 to 30", days)
    .requiredOption("--at <time>", "such as 06:00")
    .addOption(json())
    .action((options: Output & { merchant: string; delayDays: number; at: string }) => schedule(options));
  return command;
}

function run({ merchant: id, mode, json }: Output & ModeOption & { merchant: string }): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id: id });
    const { settlement } = await send(runSettlement, { merchant: { id, mode } });
    print({ settlement }, { json }, () =>
      settlement
        ? `${shown(settlement.amount)} moved from Collected to Settled (${settlement.reference}, entries ${settlement.from_version + 1} to ${settlement.to_version})`
        : "There was nothing to settle.",
    );
  });
}

function schedule(options: Output & { merchant: string; delayDays: number; at: string }): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id: options.merchant });
    const input = { merchant_id: options.merchant, delay_days: options.delayDays, at: options.at };
    const set = await send(setSettlementSchedule, input);
    print(set, options, () => `${set.merchant_id} settles after ${set.delay_days} days at ${set.at} Lagos time`);
  });
}
