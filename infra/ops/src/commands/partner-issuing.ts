import { checkPartners, checkPayoutPartners, choosePartner, settleOpening, showMerchant } from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json, merchant } from "../options.ts";
import { type Output, print } from "../print.ts";
import { list } from "./partner-list.ts";

type Use = Output & { merchant: string };
type Settle = Output & ({ accountNumber: string } | { none: true });

/** `partner list`, `check`, `use` and `settle`. */
export function issuingCommands(): Command[] {
  return [
    new Command("list")
      .description(
        "the partners, what each can and cannot do, the accounts that are opened ahead, and the merchants that have a partner of their own",
      )
      .addOption(json())
      .action((output: Output) => list(output)),
    new Command("check")
      .description("try the credentials of every partner; no money moves and no account is opened")
      .addOption(json())
      .action((output: Output) => check(output)),
    new Command("use")
      .argument("<partner>", "its id, or default")
      .description("issue a merchant's new live accounts at this partner; accounts that exist stay where they are")
      .addOption(merchant())
      .addOption(json())
      .action((partner: string, options: Use) => use(partner, options)),
    new Command("settle")
      .argument("<opening>", "the id, which is also the name of the account at the partner")
      .description("say what became of an opening whose answer was lost, once you have looked at the partner")
      .addOption(new Option("--account-number <number>", "the account exists, and is given out like the others"))
      .addOption(new Option("--none", "the partner has no such account").conflicts("accountNumber"))
      .addOption(json())
      .action((opening: string, options: Partial<Settle> & Output) => settle(opening, options)),
  ];
}

function check(output: Output): Promise<void> {
  return withBus(async (send) => {
    const [{ partners }, { partners: payouts }] = await Promise.all([
      send(checkPartners, {}),
      send(checkPayoutPartners, {}),
    ]);
    const all = [...partners, ...payouts.map(({ id, checks }) => ({ id: `${id} for payouts`, checks }))];
    const checks = all.flatMap(({ id, checks }) => checks.map((one) => ({ id, ...one })));
    if (checks.some(({ is_ok }) => !is_ok)) process.exitCode = 1;
    print({ partners, payouts }, output, () =>
      checks.map(({ id, name, is_ok, detail }) => `${id}  ${name}: ${is_ok ? "ok" : "failed"}. ${detail}`).join("\n"),
    );
  });
}

function use(partner: string, { merchant: merchant_id, json }: Use): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const chosen = await send(choosePartner, { merchant_id, partner: partner === "default" ? null : partner });
    print(chosen, { json }, () => `new live accounts of ${merchant_id} come from ${chosen.partner}`);
  });
}

function settle(id: string, options: Partial<Settle> & Output): Promise<void> {
  const account_number = "accountNumber" in options ? (options.accountNumber ?? null) : null;
  if (account_number === null && !("none" in options))
    throw new Error("Give --account-number, or --none if the partner has no such account.");
  return withBus(async (send) => {
    const settled = await send(settleOpening, { id, account_number });
    print(settled, options, () => `${id} is ${settled.state === "free" ? "ready to be given out" : "set aside"}`);
  });
}
