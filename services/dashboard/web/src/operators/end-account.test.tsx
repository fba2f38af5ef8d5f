import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { keepInMemory } from "../../test/browser-database.ts";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { makeKey } from "./browser-key.ts";
import StatementsPage from "./pages/statements-page.tsx";

const server = useServer();
const ACCOUNT = { bank: "058", pays_out: true, charge_words: [], mapping: null, last_day: null };
const shows = (account: object) =>
  server.answers("GET", "bank-accounts", () => ({ accounts: [{ ...ACCOUNT, number: "1234567890", ...account }] }));
const STATEMENTS = { from: "2026-11-01", to: "2026-11-20", closing: "0" };

beforeEach(async () => {
  keepInMemory();
  await makeKey();
  server.answers("GET", "statements", () => ({ data: [], next: null }));
});

async function act(name: string, subject: string) {
  const { user } = showAt("/statements", <StatementsPage />);
  await user.click(await screen.findByRole("button", { name }));
  const dialog = within(await screen.findByRole("dialog"));
  const text = screen.getByRole("dialog").textContent;
  await user.type(dialog.getByLabelText("Reason"), "The bank closed it");
  const confirm = () => user.click(dialog.getByRole("button", { name }));
  return { text, dialog, confirm, sent: () => server.fieldsOf(`POST acts/${subject}`).map(({ input }) => input) };
}
const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const buttons = () => screen.getAllByRole("button").map(({ textContent }) => textContent);

test("an account that its last statement leaves empty ends with that, after a refusal in words", async () => {
  shows(STATEMENTS);
  const END = "statements.account.end";
  const detail = "Its last statement ends on 2026-11-21: that is its last day.";
  server.refuses("POST", `acts/${END}`, { status: 409, code: "conflict", detail });
  const { text, dialog, confirm, sent } = await act("End 1234567890", END);
  expect(text).toContain("20 Nov 2026 is its last day");
  expect(text).not.toContain("at the bank. That");
  await confirm();
  await dialog.findByText(detail);
  server.answers("POST", `acts/${END}`, () => ({}));
  await confirm();
  await gone();
  expect(sent().at(-1)).toEqual({ number: "1234567890", last_day: "2026-11-20", reason: "The bank closed it" });
});

test("what the last statement leaves at the bank is shown, and exactly that is signed; a second operator approves it", async () => {
  shows({ ...STATEMENTS, closing: "1180005", page_missing: true });
  const END = "statements.account.end";
  server.refuses("POST", `acts/${END}`, { status: 409, code: "approval_required", detail: "It is proposed." });
  const { text, dialog, confirm, sent } = await act("End 1234567890", END);
  expect(text).toContain("Its last statement leaves ₦11,800.05 at the bank");
  expect(text).toContain("The last page of its last statement is missing");
  await confirm();
  await dialog.findByText("A second operator has to approve this");
  expect(sent()).toEqual([
    { number: "1234567890", last_day: "2026-11-20", residue: "1180005", reason: "The bank closed it" },
  ]);
});

test("only an account that has ended continues, and only one without statements is removed", async () => {
  shows({ ...STATEMENTS, last_day: "2026-11-20" });
  const CONTINUE = "statements.account.continue";
  server.answers("POST", `acts/${CONTINUE}`, () => ({}));
  const { text, confirm, sent } = await act("Continue 1234567890", CONTINUE);
  expect(text).toContain("Its end on 20 Nov 2026 is taken back");
  expect(buttons()).not.toContain("End 1234567890");
  expect(buttons()).not.toContain("Remove 1234567890");
  await confirm();
  await gone();
  expect(sent()).toEqual([{ number: "1234567890", reason: "The bank closed it" }]);
});

test("an account without statements is removed, and does not end", async () => {
  shows({ from: null, to: null, closing: null });
  const REMOVE = "statements.account.remove";
  server.answers("POST", `acts/${REMOVE}`, () => ({}));
  const { confirm, sent } = await act("Remove 1234567890", REMOVE);
  expect(buttons()).not.toContain("End 1234567890");
  await confirm();
  await gone();
  expect(sent()).toEqual([{ number: "1234567890", reason: "The bank closed it" }]);
});
