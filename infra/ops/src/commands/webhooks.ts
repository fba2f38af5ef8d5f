import { setWebhookEndpoint, showMerchant } from "@collect/contracts";
import { Command } from "commander";
import { asking } from "../ask.ts";
import { address, json, type ModeOption, mode } from "../options.ts";
import { type Output, print } from "../print.ts";

export function webhookCommand(): Command {
  const command = new Command("webhook").description("where a merchant's events are sent");
  command
    .command("set <merchant>")
    .description("set the webhook URL of a mode; the signing secret stays, or is made the first time")
    .addOption(mode())
    .requiredOption("--url <url>", "where the events are sent", address)
    .addOption(json())
    .action((merchant: string, options: SetOptions) => set(merchant, options));
  return command;
}

type SetOptions = Output & ModeOption & { url: string };

function set(merchant_id: string, { mode, url, json }: SetOptions): Promise<void> {
  return asking(async (ask) => {
    // The webhooks service does not know who is a merchant; the gateway does.
    await ask(showMerchant, { merchant_id });
    const webhook = await ask(setWebhookEndpoint, { merchant: { id: merchant_id, mode }, url });
    print({ merchant_id, webhook }, { json }, () => `webhook  ${webhook.url} (${mode})\nsecret   ${webhook.secret}`);
  });
}
