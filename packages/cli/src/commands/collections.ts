import type { Collection } from "@collect/sdk";
import { Command } from "commander";
import { contextOf } from "../context.ts";
import { limit } from "../options.ts";
import { type Columns, printObject, printRows } from "../print.ts";
import { firstRows } from "../rows.ts";

type ListOptions = { customer?: string; payment?: string; merchantReference?: string; limit: number };

const COLUMNS: Columns<Collection> = [
  ["REFERENCE", ({ reference }) => reference],
  ["CUSTOMER", ({ customer_reference }) => customer_reference],
  ["AMOUNT", ({ amount }) => amount.toFixed(2)],
  ["NET", ({ net }) => net.toFixed(2)],
  ["PAYER", ({ payer_name }) => payer_name],
  ["PAID", ({ paid_at }) => paid_at],
];

export function collectionsCommand(): Command {
  const command = new Command("collections").description("money received");
  command
    .command("list")
    .description("list collections, newest first")
    .option("--customer <customer_reference>", "only those in a customer's account")
    .option("--payment <reference>", "only those that paid a session, pay_…")
    .option("--merchant-reference <reference>", "only those that paid your order")
    .addOption(limit())
    .action(async ({ customer, payment, merchantReference, limit }: ListOptions, self: Command) => {
      const { collect, json } = contextOf(self);
      const query = {
        customer_reference: customer,
        payment_reference: payment,
        merchant_reference: merchantReference,
      };
      const rows = await firstRows(limit, (limit) => collect.listCollections({ ...query, limit }));
      printRows(rows, { json }, COLUMNS);
    });
  command
    .command("show <reference>")
    .description("show a collection by the data.reference of its event")
    .action(async (reference: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await collect.getCollection(reference), { json });
    });
  return command;
}
