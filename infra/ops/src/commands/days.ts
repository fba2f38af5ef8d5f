import {
  closeDay,
  dayReportCsv,
  explainDifference,
  itemsIn,
  leftOutOf,
  listCharges,
  listDayGroup,
  type ReadGroup,
  reopenDay,
  showDay,
  type WireResult,
} from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, kobo, reason } from "../options.ts";
import { counted, naira, type Output, print } from "../print.ts";

type Sheet = WireResult<typeof showDay>;

/** `day …`: a day at the bank and in our books. */
export function dayCommand(): Command {
  const command = new Command("day").description("close a day against the bank's statements");
  addReads(command);
  addReasons(command);
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

function addReads(command: Command): void {
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
    .action((day: string) =>
      withBus(async (send) => {
        const readGroup: ReadGroup = (group, after) => send(listDayGroup, { day, group, ...(after && { after }) });
        for await (const line of dayReportCsv(await send(showDay, { day }), readGroup))
          process.stdout.write(`${line}\r\n`);
      }),
    );
  command
    .command("charges <day> <account>")
    .description("list the lines of the bank's charges to an account, which are one line of the difference")
    .addOption(json())
    .action((day: string, account: string, options: Output) => listOfCharges({ day, account }, options));
  command
    .command("group <day> <group>")
    .description("list the lines of a group, which are one line of the difference where a day has very many")
    .addOption(json())
    .action((day: string, group: string, options: Output) => listOfGroup({ day, group }, options));
}

function addReasons(command: Command): void {
  command
    .command("explain <day> <item>")
    .description(
      "give a reason for a line of the difference, or all of a group or a class (charge, different_amount); another person closes the day",
    )
    .requiredOption(
      "--amount <naira>",
      "of the line, or the sum of the unsettled lines of the class (with --charge, of those that can be one): the reason counts for no other",
      kobo,
    )
    .addOption(reason("why the bank and our books differ by it"))
    .option(
      "--charge",
      "the bank kept it of a credit, took it with a payout, or shows the charge that it reported on a line of its own: the ledger books that once the day is closed; of a class, all that can be one",
    )
    .option(
      "--own",
      "the line of the bank, or all of the group or of bank_only, is money of our own that came, went or stood there before the first statement, as a top-up or a sweep: the ledger books that once the day is closed",
    )
    .option(
      "--refund",
      "the bank gave a charge back with the line: the ledger books that once the day is closed, up to what the account was charged",
    )
    .option(
      "--seen <digest>",
      "what `day show` prints, for a class of a day with groups: refused if the day has changed since",
    )
    .action((day: string, item: string, options: Explained) =>
      withBus(async (send) => void (await send(explainDifference, { day, item, ...options }))),
    );
}

type Explained = { amount: string; reason: string; charge?: boolean; own?: boolean; refund?: boolean; seen?: string };

type Charge = WireResult<typeof listCharges>["data"][number];

function listOfCharges(of: { day: string; account: string }, options: Output): Promise<void> {
  return withBus(async (send) => {
    const charges = await everyRow<Charge>((after) => send(listCharges, { ...of, ...after }));
    print({ charges }, options, () => charges.map(describeCharge).join("\n") || "There is none.");
  });
}

function listOfGroup(of: { day: string; group: string }, options: Output): Promise<void> {
  type Line = WireResult<typeof listDayGroup>["data"][number];
  return withBus(async (send) => {
    const lines = await everyRow<Line>((after) => send(listDayGroup, { ...of, ...after }));
    print({ lines }, options, () =>
      lines.map(({ key, amount, what }) => `${key}  ${naira(amount)}  ${what}`).join("\n"),
    );
  });
}

type ReadPage<Row> = (after: { after?: string }) => Promise<{ data: Row[]; next: string | null }>;

async function everyRow<Row>(read: ReadPage<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const page = await read(next === undefined ? {} : { after: next });
    rows.push(...page.data);
    next = page.next;
  }
  return rows;
}

const describeCharge = ({ line, amount, narration, is_matched }: Charge) =>
  `line:${line}  ${naira(amount)}  ${narration}${is_matched ? "  (matched)" : ""}`;

function text(sheet: Sheet): string {
  const { day, state, closed_by, accounts, ledger, difference, items, items_total, blocked_by, digest } = sheet;
  return [
    `${day} is ${state}${closed_by === null ? "" : `, by ${closed_by}`}.`,
    ...accounts.map(
      (account) =>
        `${account.number} at ${account.bank}: ${naira(account.opening)} + ${naira(account.in)} − ${naira(minus(account.out))} − ` +
        `${naira(minus(account.charges))} charges = ${naira(account.closing)} (${account.matched} of ${counted(account.lines, "line")} matched${byAmount(account)})${inBooks(account)}`,
    ),
    `ledger: ${naira(ledger.opening)} → ${naira(ledger.closing)}`,
    ...totalsOf("charges", sheet.charges),
    ...totalsOf("own funds", sheet.own_funds),
    `difference: ${naira(difference)} in ${counted(items_total, "line")}`,
    ...(sheet.balance ? [balanceWords(sheet.balance)] : []),
    ...items.map((item) => {
      const { key, class: kind, amount, what, settled, reason, explained_by, by_amount } = item;
      const byItself = settled ? `settled on another day${by_amount ? ", by the amount alone" : ""}` : "NO REASON";
      const why = reason === null ? byItself : `${reason} (${explained_by})`;
      return `  ${key}  ${kind}  ${naira(amount)}  ${what}  — ${why}${bookedAs(item)}`;
    }),
    ...(items_total > itemsIn(sheet) ? [`  … ${leftOutOf(sheet)}`] : []),
    ...(blocked_by === null ? [] : [`It cannot be closed: ${blocked_by}`]),
    ...(state === "open" && digest ? seenWords(sheet, digest) : []),
  ].join("\n");
}

const balanceWords = ({ at_banks, in_ledger, difference, timing, unbooked }: NonNullable<Sheet["balance"]>) =>
  `balance: ${naira(at_banks)} at the banks, ${naira(in_ledger)} in the ledger once the day is booked: ${naira(difference)} more at the banks, ` +
  `${naira(timing)} of it timing and ${naira(unbooked)} not booked`;

const totalsOf = (of: string, totals: Sheet["charges"] = []) =>
  totals.map(
    ({ account, total, booked }) =>
      `${of} of ${account}: ${naira(total)}, ${booked ? "booked in the ledger" : "not booked in the ledger yet"}`,
  );

function bookedAs({ charge, is_charge, is_own, is_refund }: Sheet["items"][number]): string {
  if (is_own) return "  [is booked as own funds]";
  if (is_refund) return "  [is booked as a charge that was given back]";
  if (!charge) return "";
  return `  [${naira(charge)} ${is_charge ? "is booked as a charge" : "may be a charge: --charge"}]`;
}

const byAmount = ({ matched_by_amount = 0 }: Sheet["accounts"][number]) =>
  matched_by_amount === 0 ? "" : `, ${matched_by_amount} by the amount alone`;

function seenWords({ blocked_by, items }: Sheet, digest: string): string[] {
  if (blocked_by === null) return [`To close it as it is here: --seen ${digest}`];
  return items.some(({ count }) => count) ? [`To give all of a class one reason: --seen ${digest}`] : [];
}

const inBooks = ({ booked, difference }: Sheet["accounts"][number]) =>
  booked === undefined ? "" : `; in our books ${naira(booked)}, difference ${naira(difference ?? "0")}`;

const minus = (kobo: string) => (-BigInt(kobo)).toString();
