import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aBalance, aNamedAccount, aTransfer } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { SaveBeneficiary } from "./saved-beneficiaries.tsx";
import { SendMoney } from "./send-money.tsx";

const server = useServer();
const ACCOUNT = { bank_code: "000", account_number: "0000000011" };
const SAVED = {
  ...ACCOUNT,
  bank_name: "Test Bank",
  account_name: "Test Success",
  saved_at: "2026-11-21T09:30:00.000+00:00",
};

beforeEach(() => {
  server.reads("banks", { data: [{ code: "000", name: "Test Bank", type: "deposit_money_bank" }], mode: "test" });
  server.reads("balance", aBalance({ settled: 2_000 }));
  server.acts("transfers/resolve", aNamedAccount());
  server.reads("beneficiaries", { data: [SAVED] });
});

async function choose() {
  const shown = showPage(<SendMoney opened onClose={() => {}} />, { at: "transfers" });
  await shown.user.click(await screen.findByRole("combobox", { name: "Saved beneficiary" }));
  await shown.user.click(await screen.findByRole("option", { name: "Test Success, Test Bank, 0000000011" }));
  await waitFor(() =>
    expect((screen.getByLabelText(/^Account number/) as HTMLInputElement).value).toBe(ACCOUNT.account_number),
  );
  return shown;
}

test("a saved beneficiary is filled in, and its name is asked for again", async () => {
  await choose();
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/test/transfers/resolve`)).toEqual([ACCOUNT]));
  expect(screen.queryByText("The name has changed")).toBeNull();
});

test("a saved beneficiary whose bank now gives another name is pointed out", async () => {
  server.acts("transfers/resolve", { ...aNamedAccount(), account_name: "Somebody Else" });
  await choose();
  expect((await screen.findByRole("alert")).textContent).toContain("Its bank now says Somebody Else.");
});

test("the account of a successful transfer is saved, unless it is", async () => {
  const success = aTransfer({ status: "success" });
  server.reads("beneficiaries", { data: [] });
  const { user, unmount } = showPage(<SaveBeneficiary transfer={success} />);
  server.acts("beneficiaries", SAVED);
  await user.click(await screen.findByRole("button", { name: "Save beneficiary" }));
  await waitFor(() =>
    expect(server.fieldsOf(`POST m/${MERCHANT}/test/beneficiaries`)).toEqual([{ reference: success.reference }]),
  );
  unmount();
});

test.each(["pending", "failed", "reversed"] as const)("the account of a %s transfer is not offered", async (status) => {
  server.reads("beneficiaries", { data: [] });
  showPage(<SaveBeneficiary transfer={aTransfer({ status })} />);
  expect(screen.queryByRole("button", { name: "Save beneficiary" })).toBeNull();
});
