import {
  findPartnerTransfer,
  getAccountOwner,
  getStatementLine,
  Problem,
  reportMissedTransfer,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { Command } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json, kobo } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type Given = { bankTransferId?: string; accountNumber?: string; amount?: string; payer?: string; paidAt?: string };
type Line = WireResult<typeof getStatementLine>;
type Offer = Omit<WireInput<typeof reportMissedTransfer>, "line">;
type Transfer = NonNullable<WireResult<typeof findPartnerTransfer>["transfer"]>;

/** `statements offer`: a notification that was lost. */
export function offerCommand(): Command {
  return new Command("offer")
    .argument("<line>")
    .description(
      "credit what the bank has and we do not, as if it had been notified; without --account-number only shows what the bank says of it",
    )
    .option(
      "--bank-transfer-id <id>",
      "the bank's id, as its notifications have it; not needed where the bank finds the line's session",
    )
    .option("--account-number <number>", "the account that was paid into")
    .option("--amount <naira>", "what the payer sent, if a bank that cannot be asked kept a part of it", kobo)
    .option("--payer <name>", "the payer's name, at a bank that cannot be asked")
    .option("--paid-at <time>", "when it was paid, if neither the bank nor a session id says it")
    .addOption(json())
    .action((line: string, options: Output & Given) => offer(line, options));
}

/** The bank and the day are those of the line; accounts takes it as it takes a report of the bank, and no line twice. */
function offer(id: string, { json, ...given }: Output & Given): Promise<void> {
  return withBus(async (send) => {
    const line = await send(getStatementLine, { line: id });
    const transfer = await askBank(send, line, given);
    if (transfer && given.accountNumber === undefined) return show(send, line, transfer, { ...(json && { json }) });
    const offered = transfer ? confirmed(transfer, given) : typed(line, given);
    const reported = await send(reportMissedTransfer, { line: id, ...offered });
    print(reported, { ...(json && { json }) }, () => `${reported.intake_id} is ${reported.status}.`);
  });
}

/** Null if the bank cannot be asked. */
async function askBank(send: SendRequest, { bank, session_id }: Line, given: Given): Promise<Transfer | null> {
  const byId = given.bankTransferId !== undefined && { bank_transfer_id: given.bankTransferId };
  const sought = byId || (session_id !== null && { session_id });
  const { asked_by, transfer } = await send(findPartnerTransfer, { bank, ...sought });
  if (asked_by.length === 0 || transfer) return transfer;
  if (!byId && !(sought && asked_by.includes("session_id")))
    throw new Problem("validation_failed", "The bank is asked by its id of the transfer: give --bank-transfer-id.");
  throw new Problem(
    "not_found",
    byId
      ? "The bank knows no such transfer."
      : "The bank knows no transfer of the line's session: give its id with --bank-transfer-id.",
  );
}

/** Nothing is credited before the operator has seen who would get it, and says so with the account number. */
async function show(
  send: SendRequest,
  { bank, amount: booked }: Line,
  transfer: Transfer,
  output: Output,
): Promise<void> {
  const { account_number, amount, arrived, bank_transfer_id, payer_name } = transfer;
  const { owner } = await send(getAccountOwner, { bank, account_number });
  print({ transfer, owner }, output, () =>
    [
      `The bank has ${naira(amount)} from ${payer_name || "a payer without a name"} into ${account_number}, of which ${naira(arrived)} arrived: ${bank_transfer_id}.`,
      owner
        ? `The account is ${owner.account_name}, of merchant ${owner.merchant_id}.`
        : "No merchant has the account: the money would be in suspense.",
      arrived === booked
        ? `To credit it: --account-number ${account_number}`
        : `The line is ${naira(booked)}, and not what arrived: it is another transfer. Give the id of the line's with --bank-transfer-id.`,
    ].join("\n"),
  );
}

/** What the bank says. What is given beside it has to be the same, or accounts refuses it. */
const confirmed = (transfer: Transfer, { accountNumber, amount, paidAt }: Given): Offer => ({
  ...{ bank_transfer_id: transfer.bank_transfer_id, account_number: accountNumber ?? transfer.account_number },
  ...{ amount: amount ?? transfer.amount, payer_name: transfer.payer_name, paid_at: paidAt ?? null },
});

/** At a bank that cannot be asked the operators' word counts. */
function typed(line: Line, { bankTransferId, accountNumber, payer, paidAt, amount = line.amount }: Given): Offer {
  if (bankTransferId === undefined || accountNumber === undefined)
    throw new Problem("validation_failed", "The bank cannot be asked: give --bank-transfer-id and --account-number.");
  if (paidAt === undefined && line.paid_at === null)
    throw new Problem("validation_failed", "The line does not say when it was paid: give --paid-at.");
  return {
    ...{ bank_transfer_id: bankTransferId, account_number: accountNumber, amount },
    ...{ payer_name: payer ?? "", paid_at: paidAt ?? null },
  };
}
