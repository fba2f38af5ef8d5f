import type { Body, Payment, Query } from "@collect/sdk";
import { Command } from "commander";
import { contextOf } from "../context.ts";
import { amount, limit } from "../options.ts";
import { type Columns, printObject, printRows } from "../print.ts";
import { firstRows } from "../rows.ts";

type Filter = NonNullable<Query<"listPayments">>;
type ListOptions = { status?: Filter["status"]; merchantReference?: string; customer?: string; limit: number };
type CreateOptions = {
  amount: number;
  reference?: string;
  customer?: string;
  customerName?: string;
  description?: string;
};

const COLUMNS: Columns<Payment> = [
  ["REFERENCE", ({ reference }) => reference],
  ["ORDER", ({ merchant_reference }) => merchant_reference],
  ["STATUS", ({ status }) => status],
  ["AMOUNT", ({ amount }) => amount.toFixed(2)],
  ["RECEIVED", ({ amount_received }) => amount_received.toFixed(2)],
  ["CREATED", ({ created_at }) => created_at],
];

export function paymentsCommand(): Command {
  const command = new Command("payments").description("payment sessions");
  command
    .command("list")
    .description("list payment sessions, newest first")
    .option("--status <status>", "only those in this state")
    .option("--merchant-reference <reference>", "only those of your order")
    .option("--customer <customer_reference>", "only those of a customer")
    .addOption(limit())
    .action(async ({ limit, customer, ...filter }: ListOptions, self: Command) => {
      const { collect, json } = contextOf(self);
      const query = {
        status: filter.status,
        merchant_reference: filter.merchantReference,
        customer_reference: customer,
      };
      const rows = await firstRows(limit, (limit) => collect.listPayments({ ...query, limit }));
      printRows(rows, { json }, COLUMNS);
    });
  command
    .command("show <reference>")
    .description("show a payment session and the collections that paid it")
    .action(async (reference: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await collect.getPayment(reference), { json });
    });
  command
    .command("create")
    .description("create a payment session, or show the one with the same reference")
    .addOption(amount().makeOptionMandatory())
    .option("--reference <reference>", "your order's id: the same one returns the same session")
    .option("--customer <customer_reference>", "the payer pays into this customer's account")
    .option("--customer-name <name>", "the customer's or payer's name")
    .option("--description <text>", "what the payer reads")
    .action(async ({ customer, customerName, ...given }: CreateOptions, self: Command) => {
      const { collect, json } = contextOf(self);
      const body: Body<"openPayment"> = { ...given, customer_reference: customer, customer_name: customerName };
      printObject(await collect.openPayment(body), { json });
    });
  command
    .command("cancel <reference>")
    .description("end a pending session now")
    .action(async (reference: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await collect.cancelPayment(reference), { json });
    });
  return command;
}
