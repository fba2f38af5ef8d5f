import { findReceivedTransfers, Problem, type WireInput, type WireResult } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type Given = { bank?: string; bankTransferId?: string; session?: string };

export function transferShowCommand(): Command {
  return new Command("show")
    .description("what the bank said of an incoming transfer, and how far it has come")
    .argument("[intake]", "its id here; without it, a live transfer is looked up by an id of its bank")
    .option("--bank <bank>", "the partner that reported it")
    .option("--bank-transfer-id <id>", "the bank's id of it")
    .option("--session <id>", "its session id of NIP")
    .addOption(json())
    .action((intake: string | undefined, options: Given & Output) => show(soughtBy(intake, options), options));
}

type Sought = WireInput<typeof findReceivedTransfers>["by"];

function soughtBy(intake_id: string | undefined, { bank, bankTransferId, session }: Given): Sought {
  const given = [intake_id, bankTransferId, session].filter((id) => id !== undefined);
  if (given.length !== 1 || (bank === undefined) !== (intake_id !== undefined))
    throw new Problem("validation_failed", "Give the id, or --bank with --bank-transfer-id or --session.");
  if (bank === undefined) return { intake_id: given[0] ?? "" };
  return bankTransferId === undefined
    ? { bank, session_id: given[0] ?? "" }
    : { bank, bank_transfer_id: bankTransferId };
}

function show(sought: Sought, output: Output): Promise<void> {
  return withBus(async (send) => {
    const { transfers } = await send(findReceivedTransfers, { by: sought });
    if (transfers.length === 0) throw new Problem("not_found", "There is no such transfer.");
    print({ transfers }, output, () => transfers.map((transfer) => linesOf(transfer).join("\n")).join("\n\n"));
  });
}

type Transfer = WireResult<typeof findReceivedTransfers>["transfers"][number];

const linesOf = (transfer: Transfer) => [
  `${transfer.intake_id} (${transfer.mode}), ${transfer.bank} ${transfer.bank_transfer_id}`,
  `  paid        ₦${naira(transfer.amount)} into ${transfer.account_number} at ${transfer.paid_at}`,
  `  bank kept   ₦${naira(transfer.bank_fee)} and VAT of ₦${naira(transfer.bank_vat)}`,
  `  taken back  ₦${naira(transfer.reversed)}`,
  `  session     ${transfer.session_id ?? "none"}`,
  `  settlement  ${transfer.settlement_id ?? "none"}`,
  `  credited    ${creditedTo(transfer)}`,
  `  received    ${transfer.received_at}, ${transfer.completed_at ? `completed ${transfer.completed_at}` : "not completed by every service"}`,
];

function creditedTo({ merchant_id, customer_reference, reference, allocated_at }: Transfer): string {
  if (merchant_id === null) return "to no merchant: in suspense";
  const customer = customer_reference === null ? "" : `, customer ${customer_reference}`;
  return `${merchant_id}${customer}${reference ? `, ${reference}` : ""}${allocated_at ? `, allocated ${allocated_at}` : ""}`;
}
