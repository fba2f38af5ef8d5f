import {
  choosePayoutPartner,
  showMerchant,
  showPayouts,
  startPayouts,
  stopPayouts,
  type WireResult,
} from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, merchant, reason } from "../options.ts";
import { type Output, print } from "../print.ts";
import { findCommand } from "./payouts-find.ts";
import { returnedCommands } from "./payouts-returned.ts";
import { unansweredCommands } from "./payouts-unanswered.ts";

type Options = Output & { reason: string };
type Choice = Options & { merchant: string };

/** One switch for the live payouts of all merchants, and those that the bank does not answer. */
export function payoutsCommand(): Command {
  const command = new Command("payouts").description("the live payouts of all merchants");
  command
    .command("stop")
    .description(
      "send no live payout any more; returns once none can be sent. New orders are refused, accepted ones wait",
    )
    .addOption(reason("why; for the operators"))
    .addOption(json())
    .action(({ reason, json }: Options) =>
      withBus(async (send) => show(await send(stopPayouts, { reason }), { json })),
    );
  command
    .command("start")
    .description("send live payouts again, those that waited first")
    .addOption(reason("why; for the operators"))
    .addOption(json())
    .action(({ reason, json }: Options) =>
      withBus(async (send) => show(await send(startPayouts, { reason }), { json })),
    );
  command
    .command("show")
    .description("whether live payouts are sent, and how many are held")
    .addOption(json())
    .action((output: Output) => withBus(async (send) => show(await send(showPayouts, {}), output)));
  command
    .command("partner")
    .argument("<partner>", "its id, or default")
    .description("send a merchant's live payouts by this partner; what was sent to a partner stays with that one")
    .addOption(merchant())
    .addOption(reason("why; the merchant's audit log has it"))
    .addOption(json())
    .action((partner: string, options: Choice) => choose(partner, options));
  for (const each of [findCommand(), ...unansweredCommands(), ...returnedCommands()]) command.addCommand(each);
  return command;
}

function choose(partner: string, { merchant: merchant_id, reason, json }: Choice): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const choice = { merchant_id, partner: partner === "default" ? null : partner, reason };
    const chosen = await send(choosePayoutPartner, choice);
    print(chosen, { json }, () => `live payouts of ${merchant_id} are sent by ${chosen.partner}`);
  });
}

const HELD_FOR = {
  merchant_suspended: "merchant is suspended",
  payouts_stopped: "payouts are stopped, or their partner is not configured",
};

function show(payouts: WireResult<typeof showPayouts>, output: Output): void {
  const { stopped, in_flight, held } = payouts;
  print(payouts, output, () =>
    [
      stopped ? `Payouts are stopped since ${stopped.since}: ${stopped.reason}` : "Payouts are sent.",
      ...(in_flight > 0 ? [`${in_flight} are being sent to the bank now`] : []),
      ...held.map(({ held_for, count, sum }) => `${count} held, ${sum} kobo: ${HELD_FOR[held_for]}`),
    ].join("\n"),
  );
}
