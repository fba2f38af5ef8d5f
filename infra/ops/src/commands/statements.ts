import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
  importStatements,
  matchByHand,
  Problem,
  putStatementPart,
  STATEMENT_PART_MAX,
  undoMatch,
  type WireResult,
  withdrawMissedTransfer,
  withdrawStatement,
} from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { readGivenFile } from "../given-file.ts";
import { json, kobo, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";
import { addAccounts } from "./bank-accounts.ts";
import { cameAfterAllCommand, neverCameCommand } from "./never-came.ts";
import { offerCommand } from "./offer-line.ts";
import { reverseCommand } from "./reverse-line.ts";

/** `statements …`: our accounts at banks, and their statements. */
export function statementsCommand(): Command {
  const command = new Command("statements").description("the bank's statements");
  for (const add of [addFiles, addAccounts, addLines]) add(command);
  return command;
}

function addFiles(command: Command): void {
  command
    .command("import <file>")
    .description(
      "take the statements of a file: camt.053, MT940, CSV or XLSX; a file that was taken before is the same, and what was withdrawn of it is taken again",
    )
    .option("--account <number>", "the account, for a format that does not name it (CSV, XLSX)")
    .option("--from <day>", "the first day that such a file was made for, if it is not that of its first line")
    .option("--to <day>", "the last day, likewise")
    .option(
      "--closing <naira>",
      "the balance that it has to end with: a file that was cut off after a line does not show it",
      kobo,
    )
    .option("--despite-number", "the bank has no statements under the numbers that are skipped before it")
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

function addLines(command: Command): void {
  command
    .command("match")
    .description("match lines of statements with movements that belong together")
    .requiredOption("--lines <ids>", "as `day show` prints them, without line: and separated by commas", list)
    .requiredOption("--movements <ids>", "int_…, trf_…, separated by commas", list)
    .option("--difference <naira>", "by how much the lines are more, such as -1,250.00, if their sums differ", kobo)
    .addOption(json())
    .action(({ lines, movements, difference, ...options }: Output & Matching) =>
      withBus(async (send) => {
        const matched = await send(matchByHand, { lines, movements, ...(difference && { difference }) });
        print(matched, options, () => `match ${matched.match}`);
      }),
    );
  command
    .command("undo-match <match>")
    .description("undo a match by hand, of which nothing is of a closed day: by its number, without match:")
    .addOption(reason("why"))
    .addOption(json())
    .action((match: string, { reason, ...options }: Output & { reason: string }) =>
      withBus(async (send) => {
        const undone = await send(undoMatch, { match, reason });
        print(undone, options, () => (undone.is_undone ? `match ${match} is undone` : NOT_BY_HAND));
      }),
    );
  for (const one of [offerCommand(), reverseCommand(), neverCameCommand(), cameAfterAllCommand()])
    command.addCommand(one);
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

type Matching = { lines: string[]; movements: string[]; difference?: string };

const NOT_BY_HAND = "Nothing was changed: no match by hand has this number, or it was undone before.";

const list = (text: string): string[] => text.split(",").map((part) => part.trim());

type Naming = { account?: string; from?: string; to?: string; closing?: string; despiteNumber?: true };

/** The file goes ahead in parts; only the act that names its hash takes it, and is in the audit log. */
function importFile(
  file: string,
  { account, from, to, closing, despiteNumber, ...options }: Output & Naming,
): Promise<void> {
  return withBus(async (send) => {
    if ((from === undefined) !== (to === undefined))
      throw new Problem("validation_failed", "Give both --from and --to, or neither.");
    const bytes = await readGivenFile(file);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const parts = await putParts(send, hash, bytes);
    const named = {
      ...(account && { account }),
      ...(from && to && { period: { from, to } }),
      ...(closing && { closing }),
      ...(despiteNumber && { despite_number: true }),
    };
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
  `${account} ${number === null ? "" : `no. ${number} `}${from} to ${to}: ${lines === 1 ? "1 line" : `${lines} lines`}, ${naira(opening)} → ${naira(closing)}`;
