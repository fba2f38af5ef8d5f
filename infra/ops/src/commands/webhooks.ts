import { setWebhookEndpoint, showMerchant } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, type ModeOption, mode, parseUrl } from "../options.ts";
import { type Output, print } from "../print.ts";

export function webhookCommand(): Command {
  const command = new Command("webhook").description("a merchant's webhook endpoint");
  command
    .command("set <merchant>")
    .description("set the webhook URL of a mode; keeps the signing secret, or creates it the first time")
    .addOption(mode())
    .requiredOption("--url <url>", "the URL to send events to", parseUrl)
    .addOption(json())
    .action((merchant: string, options: SetOptions) => set(merchant, options));
  return command;
}

type SetOptions = Output & ModeOption & { url: string };

function set(merchant_id: string, { mode, url, json }: SetOptions): Promise<void> {
  return withBus(async (send) => {
    // Only the gateway knows which merchants exist.
    await send(showMerchant, { merchant_id });
    const webhook = await send(setWebhookEndpoint, { merchant: { id: merchant_id, mode }, url });
    print({ merchant_id, webhook }, { json }, () => `webhook  ${webhook.url} (${mode})\nsecret   ${webhook.secret}`);
  });
}
