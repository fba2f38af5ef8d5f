import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  continueBankAccount,
  endBankAccount,
  getStatementLine,
  importStatements,
  listBankAccounts,
  matchByHand,
  Problem,
  putStatementPart,
  removeBankAccount,
  reportMissedTransfer,
  STATEMENT_PART_MAX,
  StatementMapping,
  setBankAccount,
  type WireResult,
  withdrawMissedTransfer,
  withdrawStatement,
} from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json, kobo, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

/** `statements …`: our accounts at banks, and their statements. */
export function statementsCommand(): Command {
  const command = new Command("statements").description("the bank's statements");
  for (const add of [addFiles, addAccounts, addEnds, addLines]) add(command);
  return command;
}

function addFiles(command: Command): void {
  command
    .command("import <file>")
    .description(
      "take the statements of a file: camt.053, MT940, CSV or XLSX; a file that was taken before is the same",
    )
    .option("--account <number>", "the account, for a format that does not name it (CSV, XLSX)")
    .option("--from <day>", "the first day that such a file was made for, if it is not that of its first line")
    .option("--to <day>", "the last day, likewise")
    .addOption(json())
    .action((file: string, options: Output & Naming) => importFile(file, options));
  command
    .command("withdraw <number>")
    .description("take back the last statement of an account, while none of its days is closed")
    .requiredOption("--from <day>", "its first day")
    .option("--number <number>", "its number, if several begin on that day")
    .addOption(reason("why"))
    .addOption(json())
    .action(
      (
        account: string,
        { from, number, reason, ...options }: Output & { from: string; number?: string; reason: string },
      ) =>
        withBus(async (send) => {
          const withdrawn = await send(withdrawStatement, { account, from, reason, ...(number && { number }) });
          print(withdrawn, options, () => `Withdrawn: ${describe(withdrawn)}`);
        }),
    );
}

function addAccounts(command: Command): void {
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
    .option("--pays-out", "payouts leave from it")
    .option("--no-pays-out", "they do no more")
    .option("--charge-words <words>", "words in the narration of the bank's own charges, separated by commas")
    .option("--mapping <file>", "which column of its CSV or XLSX is what: a JSON file")
    .addOption(json())
    .action((number: string, options: Output & AccountOptions) => setAccount(number, options));
}

function addEnds(command: Command): void {
  command
    .command("end-account <number>")
    .description(
      "end an account with its last statement, after which nothing is left in it: later days close without it",
    )
    .requiredOption("--last-day <day>", "the last day of its last statement")
    .addOption(reason("why it ended"))
    .action((number: string, { lastDay, reason }: { lastDay: string; reason: string }) =>
      withBus(async (send) => void (await send(endBankAccount, { number, last_day: lastDay, reason }))),
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

function addLines(command: Command): void {
  command
    .command("match")
    .description("match lines of statements with movements that belong together")
    .requiredOption("--lines <ids>", "as `day show` prints them, without line: and separated by commas", list)
    .requiredOption("--movements <ids>", "int_…, trf_…, separated by commas", list)
    .addOption(json())
    .action(({ lines, movements, ...options }: Output & { lines: string[]; movements: string[] }) =>
      withBus(async (send) => {
        const matched = await send(matchByHand, { lines, movements });
        print(matched, options, () => `match ${matched.match}`);
      }),
    );
  command
    .command("offer <line>")
    .description("credit what the bank has and we do not, under the bank's own id of it, as if it had been notified")
    .requiredOption(
      "--bank-transfer-id <id>",
      "the bank's id, as its notifications have it: ask the bank if the line has none",
    )
    .requiredOption("--account-number <number>", "the account that was paid into")
    .option("--amount <naira>", "what the payer sent, if the bank kept a part of it", kobo)
    .option("--payer <name>", "the payer's name")
    .option("--paid-at <time>", "when it was paid, if the line has no session id")
    .addOption(json())
    .action((line: string, options: Output & Offer) => offer(line, options));
  command
    .command("take-back <line>")
    .description("take back an offer under a wrong id, of which nothing was credited")
    .requiredOption("--bank-transfer-id <id>", "the id that it was offered under")
    .addOption(reason("why"))
    .addOption(json())
    .action(
      (line: string, { bankTransferId, reason, ...options }: Output & { bankTransferId: string; reason: string }) =>
        withBus(async (send) => {
          const withdrawn = await send(withdrawMissedTransfer, { line, bank_transfer_id: bankTransferId, reason });
          print(withdrawn, options, () => `Line ${line} can be offered again.`);
        }),
    );
}

const list = (text: string): string[] => text.split(",").map((part) => part.trim());

type Offer = { bankTransferId: string; accountNumber: string; amount?: string; payer?: string; paidAt?: string };

/** The bank and the day are those of the line; accounts takes it as it takes a report of the bank, and no line twice. */
function offer(id: string, { bankTransferId, accountNumber, payer, json, ...given }: Output & Offer): Promise<void> {
  return withBus(async (send) => {
    const line = await send(getStatementLine, { line: id });
    if (given.paidAt === undefined && line.paid_at === null)
      throw new Problem("validation_failed", "The line does not say when it was paid: give --paid-at.");
    const reported = await send(reportMissedTransfer, {
      ...{ line: id, bank_transfer_id: bankTransferId, account_number: accountNumber },
      ...{ amount: given.amount ?? line.amount, payer_name: payer ?? "", paid_at: given.paidAt ?? null },
    });
    print(reported, { ...(json && { json }) }, () => `${reported.intake_id} is ${reported.status}.`);
  });
}

type Naming = { account?: string; from?: string; to?: string };

/** The file goes ahead in parts; only the act that names its hash takes it, and is in the audit log. */
function importFile(file: string, { account, from, to, ...options }: Output & Naming): Promise<void> {
  return withBus(async (send) => {
    if ((from === undefined) !== (to === undefined))
      throw new Problem("validation_failed", "Give both --from and --to, or neither.");
    const bytes = await readFile(file);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const parts = await putParts(send, hash, bytes);
    const named = { ...(account && { account }), ...(from && to && { period: { from, to } }) };
    const imported = await send(importStatements, { hash, parts, name: basename(file), ...named });
    print(imported, options, () =>
      [imported.is_new ? "Taken:" : "Taken before:", ...imported.statements.map(describe)].join("\n"),
    );
  });
}

async function putParts(send: SendRequest, hash: string, bytes: Buffer): Promise<number> {
  const parts = Math.max(1, Math.ceil(bytes.length / STATEMENT_PART_MAX));
  for (let part = 1; part <= parts; part++) {
    const data = bytes.subarray((part - 1) * STATEMENT_PART_MAX, part * STATEMENT_PART_MAX).toString("base64");
    await send(putStatementPart, { hash, part, data });
  }
  return parts;
}

type Statement = WireResult<typeof importStatements>["statements"][number];
const describe = ({ account, number, from, to, lines, opening, closing }: Statement) =>
  `${account} ${number === null ? "" : `no. ${number} `}${from} to ${to}: ${lines} lines, ${naira(opening)} → ${naira(closing)}`;

type AccountOptions = { bank: string; paysOut?: boolean; chargeWords?: string; mapping?: string };

function setAccount(
  number: string,
  { bank, paysOut, chargeWords, mapping, json }: Output & AccountOptions,
): Promise<void> {
  return withBus(async (send) => {
    const before = (await send(listBankAccounts, {})).accounts.find((each) => each.number === number);
    const account = await send(setBankAccount, {
      ...{ number, bank, pays_out: paysOut ?? before?.pays_out ?? false },
      charge_words: chargeWords === undefined ? (before?.charge_words ?? []) : list(chargeWords).filter(Boolean),
      mapping:
        mapping === undefined
          ? (before?.mapping ?? null)
          : StatementMapping.parse(JSON.parse(await readFile(mapping, "utf8"))),
    });
    print(account, { ...(json && { json }) }, () => `${account.number} at ${account.bank}`);
  });
}

function describeAccount({ number, bank, pays_out, from, to, closing, last_day }: Account): string {
  const statements = to === null ? "no statement" : `${from} to ${to}, ${naira(closing ?? "0")}`;
  return `${number} at ${bank}${pays_out ? ", pays out" : ""}: ${statements}${last_day === null ? "" : ", ended"}`;
}
type Account = WireResult<typeof listBankAccounts>["accounts"][number];
