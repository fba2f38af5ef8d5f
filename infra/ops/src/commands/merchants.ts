import {
  createMerchant,
  createSigningSecret,
  type MerchantScope,
  type Mode,
  setAmountLimit,
  setFeeSchedule,
  setWebhookEndpoint,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { basisPoints, despiteName, json, naira, parseUrl, rateLimits } from "../options.ts";
import { type Output, print, shown } from "../print.ts";
import { checkoutSettingsCommand } from "./checkout-settings.ts";
import { payoutLimitsCommand } from "./payout-limits.ts";
import { suspensionCommands } from "./suspension.ts";
import { verificationCommand } from "./verification.ts";

export function merchantCommand(): Command {
  const command = new Command("merchant").description("merchants and their keys");
  command
    .command("create")
    .description("create a merchant; its secret key is shown only once")
    .requiredOption("--name <name>", "the business's name")
    .option("--webhook-url <url>", "the URL that its test events are sent to", parseUrl)
    .option("--rate-limits <limits>", "requests per hour, such as accounts=300,reads=600", rateLimits)
    .addOption(json())
    .action((options: CreateOptions) => withBus((send) => create(send, options)));
  command
    .command("verify <merchant>")
    .description("mark the business as verified; its live secret key is shown only once")
    .addOption(despiteName())
    .addOption(json())
    .action((merchant: string, options: VerifyOptions) => withBus((send) => verify(send, merchant, options)));
  command
    .command("show <merchant>")
    .description("show a merchant with its limits and masked keys")
    .addOption(json())
    .action((merchant: string, options: Output) => withBus((send) => show(send, merchant, options)));
  command
    .command("limit <merchant>")
    .description("set the largest amount of one payment session, in naira")
    .requiredOption("--amount <naira>", "such as 5000000", naira)
    .addOption(json())
    .action((merchant: string, options: Output & { amount: number }) => limit(merchant, options));
  command
    .command("fee <merchant>")
    .description("set the fee on future collections, in basis points (100 is 1%)")
    .requiredOption("--basis-points <points>", "0 to 10000", basisPoints)
    .addOption(json())
    .action((merchant: string, options: Output & { basisPoints: number }) => fee(merchant, options));
  const others = [checkoutSettingsCommand(), payoutLimitsCommand(), verificationCommand(), ...suspensionCommands()];
  for (const each of others) command.addCommand(each);
  return command;
}

type CreateOptions = Output & { name: string; webhookUrl?: string; rateLimits?: ReturnType<typeof rateLimits> };

async function create(send: SendRequest, { name, webhookUrl, rateLimits, json }: CreateOptions): Promise<void> {
  const { merchant_id, keys } = await send(createMerchant, { name, rate_limits: rateLimits });
  await printWithWebhook(send, { merchant_id, keys }, { mode: "test", url: webhookUrl, json });
}

type VerifyOptions = Output & { despiteName?: true };

async function verify(send: SendRequest, merchant: string, { despiteName, json }: VerifyOptions): Promise<void> {
  const { merchant_id, keys } = await send(verifyMerchant, { merchant_id: merchant, despite_name: despiteName });
  await printWithWebhook(send, { merchant_id, keys }, { mode: "live", json });
}

type Issued = { merchant_id: string; keys: Record<string, string> };
type WebhookOptions = Output & { mode: Mode; url?: string | undefined };

/**
 * The keys exist only in this response, so they are printed even when the webhooks service fails; then run `webhook
 * set`.
 */
async function printWithWebhook(send: SendRequest, issued: Issued, { mode, url, json }: WebhookOptions): Promise<void> {
  const [settled] = await Promise.allSettled([setOrReadWebhook(send, { id: issued.merchant_id, mode }, url)]);
  const webhook = settled.status === "fulfilled" ? settled.value : null;
  print({ ...issued, webhook }, { json }, () =>
    [
      `merchant  ${issued.merchant_id}`,
      ...Object.entries(issued.keys).map(([name, key]) => `${name.padEnd(9)} ${key}`),
      `webhook   ${webhook?.url ?? "no URL yet"} (${mode})`,
      `secret    ${webhook?.secret ?? "none yet; `webhook secret` creates it"}`,
    ].join("\n"),
  );
  if (settled.status === "rejected") throw settled.reason;
}

/** Sets the URL if one is given. Otherwise the endpoint as it is, or a new one with a secret and no URL. */
const setOrReadWebhook = (send: SendRequest, merchant: MerchantScope, url: string | undefined) =>
  url ? send(setWebhookEndpoint, { merchant, url }) : send(createSigningSecret, { merchant });

async function show(send: SendRequest, merchant: string, options: Output): Promise<void> {
  const found = await send(showMerchant, { merchant_id: merchant });
  const { accounts, reads } = found.rate_limits;
  print(found, options, () =>
    [
      `${found.merchant_id}  ${found.name}`,
      `created ${found.created_at}, ${found.verified_at ? `verified ${found.verified_at}` : "not verified"}`,
      ...(found.suspension ? [`suspended ${found.suspension.since}: ${found.suspension.reason}`] : []),
      `${accounts} new accounts and ${reads} reads per hour`,
      ...found.keys.map(
        ({ id, kind, name, prefix, last_four, last_used_at, expires_at }) =>
          `${prefix}…${last_four}  ${kind === "restricted" ? `${id} “${name}”  ` : ""}${last_used_at ? `last used ${last_used_at}` : "never used"}${expires_at ? `  until ${expires_at}` : ""}`,
      ),
    ].join("\n"),
  );
}

function limit(merchant_id: string, { amount, json }: Output & { amount: number }): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const set = await send(setAmountLimit, { merchant_id, amount });
    print(set, { json }, () => `The session limit of ${merchant_id} is now ${shown(set.amount)}.`);
  });
}

function fee(merchant_id: string, { basisPoints, json }: Output & { basisPoints: number }): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const set = await send(setFeeSchedule, { merchant_id, basis_points: basisPoints });
    print(set, { json }, () => `The fee of ${merchant_id} is now ${set.basis_points / 100}%.`);
  });
}
