import { searchCustomers, searchPayments } from "@collect/contracts";
import { type ListCase, one } from "./lists-cases.ts";

/** What a person may type, as the dashboard asks for it: payments and accounts side by side. */
const TEXTS: Record<string, string> = {
  "an amount of all": "100",
  "an amount of none": "777.77",
  "a common name": "ife",
  "a common surname": "bello",
  "a name": "Ife Bello 500018",
  "one letter": "a",
  "a customer of a fifth": "hot",
  "a customer": "cust_200002",
  "how a customer's reference begins": "cust_20000",
  "an account of a fifth": "9000000000",
  "an account number": "0000200002",
  "a collection": "col_200002",
  "how a reference begins": "col_2000",
  "how every reference begins": "col_",
  "an order": "order-200002",
  "how an order begins": "order-2000",
  "how every order begins": "order-",
  "an email address": "payer200006@example.com",
  "how every email address begins": "payer",
  "a link's title, which all have": "lamp",
  "metadata of one": "till-200002",
  "metadata of a quarter": "yaba",
  "nothing there": "nothing",
};

export const SEARCHES: ListCase[] = Object.entries(TEXTS).map(([name, text]) =>
  one(`search: ${name}`, (bus, merchant) =>
    Promise.all([bus.request(searchPayments, { merchant, text }), bus.request(searchCustomers, { merchant, text })]),
  ),
);
