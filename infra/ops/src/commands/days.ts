import {
  closeDay,
  dayReportCsv,
  explainDifference,
  leftOutOf,
  listCharges,
  reopenDay,
  showDay,
  type WireResult,
} from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, kobo, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type Sheet = WireResult<typeof showDay>;

/** `day …`: a day at the bank and in our books. */
export function dayCommand(): Command {
  const command = new Command("day").description("close a day against the bank's statements");
  command
    .command("show <day>")
    .description("print a day's balances and its difference, line by line; exits with 1 unless it is closed or can be")
    .addOption(json())
    .action((day: string, options: Output) =>
      withBus(async (send) => {
        const sheet = await send(showDay, { day });
        print(sheet, options, () => text(sheet));
        if (sheet.blocked_by !== null) process.exitCode = 1;
      }),
    );
  command
    .command("report <day>")
    .description("print the daily report as CSV: the accounts, the ledger, and the lines of the difference")
    .action((day: string) => withBus(async (send) => console.log(dayReportCsv(await send(showDay, { day })))));
  command
    .command("charges <day> <account>")
    .description("list the lines of the bank's charges to an account, which are one line of the difference")
    .addOption(json())
    .action((day: string, account: string, options: Output) => listOfCharges({ day, account }, options));
  command
    .command("explain <day> <item>")
    .description(
      "give a reason for a line of the difference, or all of a class (charge); another person closes the day",
    )
    .requiredOption(
      "--amount <naira>",
      "of the line, or the sum of the unsettled lines of the class: the reason counts for no other",
      kobo,
    )
    .addOption(reason("why the bank and our books differ by it"))
    .action((day: string, item: string, { amount, reason }: { amount: string; reason: string }) =>
      withBus(async (send) => void (await send(explainDifference, { day, item, amount, reason }))),
    );
  command
    .command("close <day>")
    .description("lock a day whose every difference has a reason of another person")
    .requiredOption("--seen <digest>", "what `day show` prints: refused if the day has changed since")
    .addOption(json())
    .action((day: string, { seen, ...options }: Output & { seen: string }) =>
      withBus(async (send) => {
        const sheet = await send(closeDay, { day, seen });
        print(sheet, options, () => text(sheet));
      }),
    );
  command
    .command("reopen <day>")
    .description("unlock the last closed day")
    .addOption(reason("why"))
    .action((day: string, { reason }: { reason: string }) =>
      withBus(async (send) => void (await send(reopenDay, { day, reason }))),
    );
  return command;
}

type Charges = WireResult<typeof listCharges>;

function listOfCharges(of: { day: string; account: string }, options: Output): Promise<void> {
  return withBus(async (send) => {
    const charges: Charges["data"] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const page: Charges = await send(listCharges, { ...of, ...(next && { after: next }) });
      charges.push(...page.data);
      next = page.next;
    }
    print({ charges }, options, () => charges.map(describeCharge).join("\n") || "There is none.");
  });
}

const describeCharge = ({ line, amount, narration, is_matched }: Charges["data"][number]) =>
  `line:${line}  ${naira(amount)}  ${narration}${is_matched ? "  (matched)" : ""}`;

function text(sheet: Sheet): string {
  const { day, state, closed_by, accounts, ledger, difference, items, items_total, blocked_by, digest } = sheet;
  return [
    `${day} is ${state}${closed_by === null ? "" : `, by ${closed_by}`}.`,
    ...accounts.map(
      (account) =>
        `${account.number} at ${account.bank}: ${naira(account.opening)} + ${naira(account.in)} − ${naira(minus(account.out))} − ` +
        `${naira(minus(account.charges))} charges = ${naira(account.closing)} (${account.matched} of ${account.lines} lines matched)`,
    ),
    `ledger: ${naira(ledger.opening)} → ${naira(ledger.closing)}`,
    `difference: ${naira(difference)} in ${items_total} lines`,
    ...items.map(({ key, class: kind, amount, what, settled, reason, explained_by }) => {
      const byItself = settled ? "settled on another day" : "NO REASON";
      const why = reason === null ? byItself : `${reason} (${explained_by})`;
      return `  ${key}  ${kind}  ${naira(amount)}  ${what}  — ${why}`;
    }),
    ...(items_total > items.length ? [`  … ${leftOutOf(sheet)}`] : []),
    ...(blocked_by === null ? [] : [`It cannot be closed: ${blocked_by}`]),
    ...(state === "open" && blocked_by === null && digest ? [`To close it as it is here: --seen ${digest}`] : []),
  ].join("\n");
}

const minus = (kobo: string) => (-BigInt(kobo)).toString();
