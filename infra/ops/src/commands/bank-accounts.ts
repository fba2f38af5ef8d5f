import {
  continueBankAccount,
  endBankAccount,
  listBankAccounts,
  removeBankAccount,
  setBankAccount,
  type WireResult,
} from "@collect/contracts";
import type { Command } from "commander";
import { withBus } from "../bus.ts";
import { readMapping } from "../given-file.ts";
import { days, json, kobo, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

/** `statements account …`: our accounts at banks. */
export function addAccounts(command: Command): void {
  addNaming(command);
  addEnds(command);
}

function addNaming(command: Command): void {
  command
    .command("accounts")
    .description("list our accounts at banks, and up to which day there are statements")
    .addOption(json())
    .action((options: Output) =>
      withBus(async (send) => {
        const listed = await send(listBankAccounts, {});
        print(listed, options, () => listed.accounts.map(describeAccount).join("\n") || "There is no account.");
      }),
    );
  command
    .command("account <number>")
    .description("name an account of ours at a bank, or change it: what is not given stays as it is")
    .requiredOption("--bank <bank>", "the partner whose transfers it receives")
    .option("--pays-out", "payouts leave from it, unless their partner has an account for them")
    .option("--no-pays-out", "they do no more")
    .option("--payouts-of <partner>", "the payouts of this partner leave from it, and from no other")
    .option("--no-payouts-of", "they do no more")
    .option("--own-references", "its lines have references of the bank's own: an amount that is the only one matches")
    .option("--no-own-references", "they are ids that we know, or that the bank reports")
    .option(
      "--settles-within <days>",
      "a payment to us is on it so many days later at most: 1, unless they are paid out later",
      days,
    )
    .option("--charge-words <words>", "whole words in the narration of the bank's own charges, separated by commas")
    .option("--mapping <file>", "which column of its CSV or XLSX is what, and the encoding of its CSV: a JSON file")
    .addOption(json())
    .action((number: string, options: Output & AccountOptions) => setAccount(number, options));
}

function addEnds(command: Command): void {
  command
    .command("end-account <number>")
    .description(
      "end an account with the last statement that was taken of it: later days close without it, and the first shows what is left",
    )
    .requiredOption("--last-day <day>", "the last day of its last statement")
    .option(
      "--residue <naira>",
      "what that statement leaves at the bank, if no other one shows where it went, or its last page never comes",
      kobo,
    )
    .addOption(reason("why it ended"))
    .action((number: string, { lastDay, residue, reason }: { lastDay: string; residue?: string; reason: string }) =>
      withBus(
        async (send) =>
          void (await send(endBankAccount, { number, last_day: lastDay, reason, ...(residue && { residue }) })),
      ),
    );
  command
    .command("continue-account <number>")
    .description("take the end of an account back, while no later day is closed")
    .addOption(reason("why"))
    .action((number: string, { reason }: { reason: string }) =>
      withBus(async (send) => void (await send(continueBankAccount, { number, reason }))),
    );
  command
    .command("remove-account <number>")
    .description("remove an account that was named by mistake: one without statements")
    .addOption(reason("why"))
    .action((number: string, { reason }: { reason: string }) =>
      withBus(async (send) => void (await send(removeBankAccount, { number, reason }))),
    );
}

type AccountOptions = {
  bank: string;
  paysOut?: boolean;
  payoutsOf?: string | false;
  ownReferences?: boolean;
  settlesWithin?: number;
  chargeWords?: string;
  mapping?: string;
};

function setAccount(
  number: string,
  { bank, paysOut, payoutsOf, ownReferences, settlesWithin, chargeWords, mapping, json }: Output & AccountOptions,
): Promise<void> {
  return withBus(async (send) => {
    const before = (await send(listBankAccounts, {})).accounts.find((each) => each.number === number);
    const account = await send(setBankAccount, {
      ...{ number, bank, pays_out: paysOut ?? before?.pays_out ?? false },
      ...(payoutsOf !== undefined && { payouts_of: payoutsOf || null }),
      ...(ownReferences !== undefined && { own_references: ownReferences }),
      ...(settlesWithin !== undefined && { settles_within: settlesWithin }),
      charge_words: chargeWords === undefined ? (before?.charge_words ?? []) : wordsIn(chargeWords),
      mapping: mapping === undefined ? (before?.mapping ?? null) : await readMapping(mapping),
    });
    print(account, { ...(json && { json }) }, () => `${account.number} at ${account.bank}`);
  });
}

const wordsIn = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

function describeAccount({ number, bank, from, to, closing, last_day, ...account }: Account): string {
  const statements = to === null ? "no statement" : `${from} to ${to}, ${naira(closing ?? "0")}`;
  const payouts = `${account.pays_out ? ", pays out" : ""}${account.payouts_of ? `, has the payouts of ${account.payouts_of}` : ""}`;
  const references = account.own_references ? ", with the bank's own references" : "";
  const { settles_within = 1 } = account;
  const settled = settles_within > 1 ? `, settled within ${settles_within} days` : "";
  return `${number} at ${bank}${payouts}${references}${settled}: ${statements}${last_day === null ? "" : ", ended"}`;
}
type Account = WireResult<typeof listBankAccounts>["accounts"][number];
