import { resumeMerchant, suspendMerchant } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, reason } from "../options.ts";
import { type Output, print } from "../print.ts";

type Options = Output & { reason: string };

/** `merchant suspend` and `merchant resume`. Both can be repeated: a repeat waits for the same, and changes nothing. */
export function suspensionCommands(): Command[] {
  return [
    new Command("suspend")
      .argument("<merchant>")
      .description(
        "stop a merchant's payouts, live keys, accounts, sessions and links; returns once none of its payouts can be sent",
      )
      .addOption(reason("why; the merchant sees it"))
      .addOption(json())
      .action((merchant: string, options: Options) => suspend(merchant, options)),
    new Command("resume")
      .argument("<merchant>")
      .description("end a merchant's suspension and send its held payouts")
      .addOption(reason("why; only the audit log has it"))
      .addOption(json())
      .action((merchant: string, options: Options) => resume(merchant, options)),
  ];
}

function suspend(merchant_id: string, { reason, json }: Options): Promise<void> {
  return withBus(async (send) => {
    const suspended = await send(suspendMerchant, { merchant_id, reason });
    const { suspension, payouts_in_flight } = suspended;
    print(suspended, { json }, () =>
      [
        `${merchant_id} is suspended since ${suspension?.since}: ${suspension?.reason}`,
        ...(payouts_in_flight > 0
          ? [`${payouts_in_flight} payouts are at the bank, which has not answered; they are followed to their end.`]
          : []),
      ].join("\n"),
    );
  });
}

function resume(merchant_id: string, { reason, json }: Options): Promise<void> {
  return withBus(async (send) => {
    const resumed = await send(resumeMerchant, { merchant_id, reason });
    print(
      resumed,
      { json },
      () => `${merchant_id} is ${resumed.standing}; ${resumed.payouts_released} held payouts are due now.`,
    );
  });
}
