import { createSigningSecret, setWebhookEndpoint, showMerchant, type WireResult } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, type ModeOption, mode, parseUrl } from "../options.ts";
import { type Output, print } from "../print.ts";
import { holdCommands } from "./webhook-holds.ts";

export function webhookCommand(): Command {
  const command = new Command("webhook").description("a merchant's webhook endpoint");
  command
    .command("set <merchant>")
    .description("set the webhook URL of a mode; keeps the signing secret, or creates it the first time")
    .addOption(mode())
    .requiredOption("--url <url>", "the URL to send events to", parseUrl)
    .addOption(json())
    .action((merchant: string, options: SetOptions) => set(merchant, options));
  command
    .command("secret <merchant>")
    .description("show the signing secret of a mode, or create it before a URL is set")
    .addOption(mode())
    .addOption(json())
    .action((merchant: string, options: SecretOptions) => showSecret(merchant, options));
  for (const each of holdCommands()) command.addCommand(each);
  return command;
}

type SecretOptions = Output & ModeOption;

function showSecret(merchant_id: string, { mode, json }: SecretOptions): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const webhook = await send(createSigningSecret, { merchant: { id: merchant_id, mode } });
    print({ merchant_id, webhook }, { json }, () => described(webhook, mode));
  });
}

type SetOptions = Output & ModeOption & { url: string };

function set(merchant_id: string, { mode, url, json }: SetOptions): Promise<void> {
  return withBus(async (send) => {
    // Only the gateway knows which merchants exist.
    await send(showMerchant, { merchant_id });
    const webhook = await send(setWebhookEndpoint, { merchant: { id: merchant_id, mode }, url });
    print({ merchant_id, webhook }, { json }, () => described(webhook, mode));
  });
}

type Webhook = WireResult<typeof setWebhookEndpoint>;

const described = (webhook: Webhook, mode: string): string =>
  [`webhook  ${webhook.url ?? "no URL yet"} (${mode})`, `secret   ${webhook.secret}`, ...waiting(webhook)].join("\n");

/** A URL gets events once it has answered its challenge; setting it again sends another. */
function waiting({ unconfirmed }: Webhook): string[] {
  if (!unconfirmed) return [];
  return [
    `waiting  ${unconfirmed.url} has not answered its challenge: ${unconfirmed.error ?? "no answer yet"}.`,
    "         It gets no events until then. To send another challenge, set it again.",
  ];
}
