import {
  type CheckoutSettings,
  getCheckoutSettings,
  type Mode,
  setCheckoutSettings,
  showMerchant,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json, mode } from "../options.ts";
import { type Output, print } from "../print.ts";

type Options = Output & { mode: Mode; returnHosts?: string[]; descriptions?: "on" | "off" };

/** What callers with a merchant's public key may do; without options, what they may. */
export const checkoutSettingsCommand = (): Command =>
  new Command("checkout")
    .argument("<merchant>")
    .description("show or set where payers return to, and whether descriptions sent with the public key are shown")
    .addOption(mode())
    .option("--return-hosts <hosts>", "all of them, separated by commas; an empty text for none", hostsIn)
    .addOption(new Option("--descriptions <state>", "descriptions sent with the public key").choices(["on", "off"]))
    .addOption(json())
    .action(checkout);

const hostsIn = (text: string): string[] => text.split(",").flatMap((host) => host.trim() || []);

function checkout(merchantId: string, { mode, returnHosts, descriptions, json }: Options): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id: merchantId });
    const merchant = { id: merchantId, mode };
    const current = await send(getCheckoutSettings, { merchant });
    const isChange = returnHosts !== undefined || descriptions !== undefined;
    const settings = isChange
      ? await send(setCheckoutSettings, {
          merchant,
          return_hosts: returnHosts ?? current.return_hosts,
          public_descriptions: descriptions ? descriptions === "on" : current.public_descriptions,
        })
      : current;
    print(settings, { json }, () => textOf(settings));
  });
}

const textOf = ({ return_hosts, public_descriptions }: CheckoutSettings): string =>
  [
    `return hosts   ${return_hosts.join(", ") || "none"}`,
    `descriptions   ${public_descriptions ? "shown, marked as not checked" : "left out"}`,
  ].join("\n");
