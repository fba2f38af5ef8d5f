import {
  createMerchant,
  getWebhookEndpoint,
  type MerchantScope,
  type Mode,
  Problem,
  setAmountLimit,
  setFeeSchedule,
  setWebhookEndpoint,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { Command } from "commander";
import { type Ask, asking } from "../ask.ts";
import { address, basisPoints, json, naira, rateLimits } from "../options.ts";
import { type Output, print } from "../print.ts";
import { verificationCommand } from "./verification.ts";

export function merchantCommand(): Command {
  const command = new Command("merchant").description("merchants and their keys");
  command
    .command("create")
    .description("create a merchant; its secret key is shown this once")
    .requiredOption("--name <name>", "the business's name")
    .option("--webhook-url <url>", "where its test events are sent", address)
    .option("--rate-limits <limits>", "calls an hour, such as accounts=300,reads=600", rateLimits)
    .addOption(json())
    .action((options: CreateOptions) => asking((ask) => create(ask, options)));
  command
    .command("verify <merchant>")
    .description("record that the business is verified; its live secret key is shown this once")
    .addOption(json())
    .action((merchant: string, options: Output) => asking((ask) => verify(ask, merchant, options)));
  command
    .command("show <merchant>")
    .description("a merchant with its limits and its keys, masked")
    .addOption(json())
    .action((merchant: string, options: Output) => asking((ask) => show(ask, merchant, options)));
  command
    .command("limit <merchant>")
    .description("the largest amount that the merchant may ask for in one payment session, in naira")
    .requiredOption("--amount <naira>", "such as 5000000", naira)
    .addOption(json())
    .action((merchant: string, options: Output & { amount: number }) => limit(merchant, options));
  command
    .command("fee <merchant>")
    .description("the fee on what the merchant collects from now on, in basis points (100 is 1 %)")
    .requiredOption("--basis-points <points>", "0 to 10000", basisPoints)
    .addOption(json())
    .action((merchant: string, options: Output & { basisPoints: number }) => fee(merchant, options));
  command.addCommand(verificationCommand());
  return command;
}

type CreateOptions = Output & { name: string; webhookUrl?: string; rateLimits?: ReturnType<typeof rateLimits> };

async function create(ask: Ask, { name, webhookUrl, rateLimits, json }: CreateOptions): Promise<void> {
  const { merchant_id, keys } = await ask(createMerchant, { name, rate_limits: rateLimits });
  await printWithWebhook(ask, { merchant_id, keys }, { mode: "test", url: webhookUrl, json });
}

async function verify(ask: Ask, merchant: string, { json }: Output): Promise<void> {
  const { merchant_id, keys } = await ask(verifyMerchant, { merchant_id: merchant });
  await printWithWebhook(ask, { merchant_id, keys }, { mode: "live", json });
}

type Issued = { merchant_id: string; keys: Record<string, string> };
type WebhookOptions = Output & { mode: Mode; url?: string | undefined };

/** The keys exist in this answer only, so they are printed even when the webhooks service fails; `webhook set` makes up for it. */
async function printWithWebhook(ask: Ask, issued: Issued, { mode, url, json }: WebhookOptions): Promise<void> {
  const [settled] = await Promise.allSettled([webhookOf(ask, { id: issued.merchant_id, mode }, url)]);
  const webhook = settled.status === "fulfilled" ? settled.value : null;
  print({ ...issued, webhook }, { json }, () =>
    [
      `merchant  ${issued.merchant_id}`,
      ...Object.entries(issued.keys).map(([name, key]) => `${name.padEnd(9)} ${key}`),
      `webhook   ${webhook?.url ?? "no URL yet"} (${mode})`,
      `secret    ${webhook?.secret ?? "none yet; `webhook set` makes it"}`,
    ].join("\n"),
  );
  if (settled.status === "rejected") throw settled.reason;
}

/** With the URL if one is given; else as it is, or with a secret only. */
async function webhookOf(ask: Ask, merchant: MerchantScope, url: string | undefined) {
  if (url) return ask(setWebhookEndpoint, { merchant, url });
  return ask(getWebhookEndpoint, { merchant }).catch((error) => {
    if (error instanceof Problem && error.code === "not_found") return ask(setWebhookEndpoint, { merchant, url: null });
    throw error;
  });
}

async function show(ask: Ask, merchant: string, options: Output): Promise<void> {
  const shown = await ask(showMerchant, { merchant_id: merchant });
  const { accounts, reads } = shown.rate_limits;
  print(shown, options, () =>
    [
      `${shown.merchant_id}  ${shown.name}`,
      `created ${shown.created_at}, ${shown.verified_at ? `verified ${shown.verified_at}` : "not verified"}`,
      `${accounts} new accounts and ${reads} reads an hour`,
      ...shown.keys.map(
        ({ prefix, last_four, last_used_at, expires_at }) =>
          `${prefix}…${last_four}  ${last_used_at ? `last used ${last_used_at}` : "never used"}${expires_at ? `  until ${expires_at}` : ""}`,
      ),
    ].join("\n"),
  );
}

function limit(merchant_id: string, { amount, json }: Output & { amount: number }): Promise<void> {
  return asking(async (ask) => {
    await ask(showMerchant, { merchant_id });
    const set = await ask(setAmountLimit, { merchant_id, amount });
    print(set, { json }, () => `${merchant_id} may ask for up to ₦${set.amount} at once`);
  });
}

function fee(merchant_id: string, { basisPoints, json }: Output & { basisPoints: number }): Promise<void> {
  return asking(async (ask) => {
    await ask(showMerchant, { merchant_id });
    const set = await ask(setFeeSchedule, { merchant_id, basis_points: basisPoints });
    print(set, { json }, () => `${merchant_id} pays ${set.basis_points / 100} % from now on`);
  });
}
