import { getPayoutLimits, setPayoutLimits, showMerchant, type WireResult } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, nairaOrNone } from "../options.ts";
import { type Output, print, shown } from "../print.ts";

type Limit = number | "none";
type Options = Output & { perTransfer?: Limit; perDay?: Limit; approvalAbove?: Limit };

export function payoutLimitsCommand(): Command {
  return new Command("payout-limits")
    .description("show the limits on a merchant's payouts, or set those that its own cannot exceed; they apply at once")
    .argument("<merchant>")
    .option("--per-transfer <naira>", "the largest amount of one transfer, or none", nairaOrNone)
    .option("--per-day <naira>", "the most that may be ordered in a day in Lagos, or none", nairaOrNone)
    .option("--approval-above <naira>", "a transfer of more waits for a second person's approval, or none", nairaOrNone)
    .addOption(json())
    .action((merchant: string, options: Options) => payoutLimits(merchant, options));
}

function payoutLimits(merchant_id: string, { perTransfer, perDay, approvalAbove, json }: Options): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const now = await send(getPayoutLimits, { merchant_id });
    const change = { transfer_max: perTransfer, day_max: perDay, approval_above: approvalAbove };
    const given = Object.entries(change).flatMap(([name, limit]) =>
      limit === undefined ? [] : [[name, limit === "none" ? null : limit]],
    );
    const result =
      given.length === 0
        ? now
        : await send(setPayoutLimits, { merchant_id, ...now.operator, ...Object.fromEntries(given) });
    print(result, { json }, () => describe(result));
  });
}

type Current = WireResult<typeof getPayoutLimits>;

function describe({ limits, operator, merchant, upcoming, ordered_today }: Current): string {
  return [
    line("applies", limits),
    line("operator", operator),
    line("merchant", merchant),
    ...(upcoming ? [`${line("upcoming", upcoming)}, from ${upcoming.effective_at}`] : []),
    `ordered today: ${shown(ordered_today.live)} live, ${shown(ordered_today.test)} test`,
  ].join("\n");
}

function line(whose: string, { transfer_max, day_max, approval_above }: Current["limits"]): string {
  return `${whose.padEnd(9)} ${amount(transfer_max)} a transfer, ${amount(day_max)} a day, approval above ${amount(approval_above)}`;
}

const amount = (naira: number | null) => (naira === null ? "no limit" : shown(naira));
