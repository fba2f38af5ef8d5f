import type { CustomerAccount, Query } from "@collect/sdk";
import { Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { limit } from "../options.ts";
import { type Columns, printObject, printRows } from "../print.ts";
import { firstRows } from "../rows.ts";

type Filter = Pick<NonNullable<Query<"listCustomerAccounts">>, "status">;

const COLUMNS: Columns<CustomerAccount> = [
  ["CUSTOMER", ({ customer_reference }) => customer_reference],
  ["NAME", ({ customer_name }) => customer_name],
  ["ACCOUNT", ({ account_number }) => account_number],
  ["STATUS", ({ status }) => status],
  ["CREATED", ({ created_at }) => created_at],
];

export function accountsCommand(): Command {
  const command = new Command("accounts").description("customers' permanent accounts");
  command
    .command("list")
    .description("list customer accounts, newest first")
    .addOption(new Option("--status <status>", "active by default").choices(["active", "retired", "all"]))
    .addOption(limit())
    .action(async ({ limit, ...filter }: Filter & { limit: number }, self: Command) => {
      const { collect, json } = contextOf(self);
      const rows = await firstRows(limit, (limit) => collect.listCustomerAccounts({ ...filter, limit }));
      printRows(rows, { json }, COLUMNS);
    });
  command
    .command("show <customer_reference>")
    .description("show a customer's account")
    .action(async (reference: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await collect.getCustomerAccount(reference), { json });
    });
  command
    .command("create <customer_reference>")
    .description("issue a customer's account, or show the existing one")
    .option("--name <name>", "the customer's name; a new customer needs one")
    .action(async (customer_reference: string, { name: customer_name }: { name?: string }, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await collect.issueCustomerAccount({ customer_reference, customer_name }), { json });
    });
  return command;
}
