import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { makeKey } from "./browser-key.ts";
import StatementsPage from "./pages/statements-page.tsx";

const server = useServer();
const SET = "acts/statements.account.set";
const MAPPING = {
  ...{ header_row: 7, date_format: "dd-MMM-yyyy", newest_first: true, encoding: "windows-1252" },
  columns: {
    date: "Trans Date",
    narration: "Remarks",
    balance: "Balance",
    amount: "Amount",
    references: ["Ref", "SID"],
  },
};
const ACCOUNT = {
  number: "1234567890",
  bank: "058",
  pays_out: true,
  payouts_of: "monnify",
  own_references: true,
  settles_within: 4,
  charge_words: ["SMS", "VAT"],
  mapping: MAPPING,
};

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  const accounts = [{ ...ACCOUNT, from: "2026-11-01", to: "2026-11-20", closing: "5" }];
  server.answers("GET", "bank-accounts", () => ({ accounts }));
  server.answers("GET", "statements", () => ({ data: [], next: null }));
  server.answers("POST", SET, ({ fields }) => fields.input);
});

async function open(name: string) {
  const { user } = showAt("/statements", <StatementsPage />);
  await user.click(await screen.findByRole("button", { name }));
  return { user, dialog: within(await screen.findByRole("dialog")) };
}

test("a change keeps what it is not about", async () => {
  const { user, dialog } = await open("Change 1234567890");
  const bank = dialog.getByLabelText("Bank");
  await user.clear(bank);
  await user.type(bank, "providus");
  expect(dialog.getByLabelText<HTMLInputElement>("The references on its lines are the bank's own").checked).toBe(true);
  await user.click(dialog.getByRole("button", { name: "Change 1234567890" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.fieldsOf(`POST ${SET}`)).toMatchObject([{ input: { ...ACCOUNT, bank: "providus" } }]);
  expect(Object(server.fieldsOf(`POST ${SET}`)[0]?.input)).toEqual({ ...ACCOUNT, bank: "providus" });
});

test("the days until payments are settled are shown and changed, and are 1 where an earlier release has none", async () => {
  const { user, dialog } = await open("Change 1234567890");
  await screen.findByText(/with the bank's own references, settled within 4 days$/);
  const field = dialog.getByLabelText<HTMLInputElement>("Days until payments are settled");
  expect(field.value).toBe("4");
  await user.clear(field);
  await user.type(field, "15");
  await user.click(dialog.getByRole("button", { name: "Change 1234567890" }));
  expect(field.validity.rangeOverflow).toBe(true);
  expect(server.fieldsOf(`POST ${SET}`)).toEqual([]);
  await user.clear(field);
  await user.type(field, "5");
  await user.click(dialog.getByRole("button", { name: "Change 1234567890" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.fieldsOf(`POST ${SET}`)).toMatchObject([{ input: { ...ACCOUNT, settles_within: 5 } }]);
});

test("an account is named, without columns unless its files are tables, and a refusal says which field is wrong", async () => {
  const { user, dialog } = await open("Name an account");
  await user.type(dialog.getByLabelText("Account number"), "0001112223");
  await user.type(dialog.getByLabelText("Bank"), "058");
  const submit = dialog.getByRole("button", { name: "Name an account" });
  server.refuses("POST", SET, {
    ...{ status: 409, code: "conflict", detail: "Another account receives for this bank, or pays out." },
  });
  await user.click(submit);
  await dialog.findByText("Another account receives for this bank, or pays out.");
  await user.click(dialog.getByLabelText("Its files are CSV or XLSX"));
  await user.click(submit);
  expect(server.fieldsOf(`POST ${SET}`)).toHaveLength(1);
  for (const [label, column] of Object.entries({ Date: "Day", Narration: "Text", Balance: "Left", Debit: "Out" }))
    await user.type(dialog.getByLabelText(label), column);
  const errors = [{ param: "mapping.columns", code: "invalid", message: "must name debit and credit, or amount" }];
  server.refuses("POST", SET, { status: 400, code: "validation_failed", detail: "It is invalid.", errors });
  await user.click(submit);
  await dialog.findByText("mapping.columns must name debit and credit, or amount");
  await user.type(dialog.getByLabelText("Credit"), "In");
  server.answers("POST", SET, ({ fields }) => fields.input);
  await user.click(submit);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const columns = { date: "Day", narration: "Text", balance: "Left", debit: "Out", credit: "In" };
  const account = { number: "0001112223", bank: "058", pays_out: false, payouts_of: null, charge_words: [] };
  const named = { ...account, own_references: false, settles_within: 1 };
  expect(server.fieldsOf(`POST ${SET}`).map(({ input }) => input)).toEqual([
    { ...named, mapping: null },
    { ...named, mapping: expect.objectContaining({ columns: expect.not.objectContaining({ credit: "In" }) }) },
    { ...named, mapping: { header_row: 1, date_format: "yyyy-MM-dd", newest_first: false, columns } },
  ]);
});
