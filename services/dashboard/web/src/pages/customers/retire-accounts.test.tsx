import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { RetireAccounts } from "./retire-accounts.tsx";

const server = useServer();
const RETIRE = "customers/:customer_reference/retire";
const retired = () => server.fieldsOf(`POST m/${MERCHANT}/test/${RETIRE}`);

test("accounts are retired only after their number is typed; after a failure the others can be tried again", async () => {
  const { user } = showPage(<RetireAccounts references={["cust_1", "cust_2"]} />);
  await user.click(screen.getByRole("button", { name: "Retire 2…" }));
  await user.type(await screen.findByLabelText("Type 2 to retire 2 accounts"), "3");
  await user.click(screen.getByRole("button", { name: "Retire accounts" }));
  await screen.findByText("This doesn't match the number of selected accounts.");
  expect(retired()).toEqual([]);

  server.refuses("POST", `m/${MERCHANT}/test/${RETIRE}`, { status: 409, code: "conflict", detail: "Not now." });
  await user.clear(screen.getByLabelText("Type 2 to retire 2 accounts"));
  await user.type(screen.getByLabelText("Type 2 to retire 2 accounts"), "2");
  await user.click(screen.getByRole("button", { name: "Retire accounts" }));
  await screen.findByText("0 of 2 were retired. You can try the others again.");
  const before = retired().length;

  server.answers("POST", `m/${MERCHANT}/test/${RETIRE}`, () => ({}));
  await user.click(screen.getByRole("button", { name: "Retire accounts" }));
  await screen.findByRole("button", { name: "Retired" });
  expect(retired()).toHaveLength(before + 2);
});
