import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAt } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import type { Read } from "./api.ts";
import { DayDetails } from "./day-details.tsx";

const server = useServer();
const ACCOUNT = { bank: "058", opening: "0", in: "0", out: "0", lines: 2, matched: 0 };
const SHEET: Read<"days/:day"> = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, settled: [], blocked_by: null },
  ...{ ledger: { opening: "0", closing: "0" }, difference: "-75", items_total: 0, items: [] },
  accounts: [
    { ...ACCOUNT, number: "1234567890", charges: "-75", closing: "-75" },
    { ...ACCOUNT, number: "9876543210", charges: "0", closing: "0" },
  ],
};

test("each charge of an account is listed when it is asked for, a page at a time, and each offered line with its id", async () => {
  const charge = { amount: "-50", narration: "SMS FEE", is_matched: false };
  server.answers("GET", "days/2026-11-20/charges", ({ fields }) =>
    fields.after === "1"
      ? { data: [{ ...charge, line: "2", amount: "-25", narration: "VAT", is_matched: true }], next: null }
      : { data: [{ ...charge, line: "1" }], next: "1" },
  );
  const offer = { bank_transfer_id: "S-250", account_number: "0123456789", amount: "25000", is_matched: false };
  server.answers("GET", "days/2026-11-20/offers", () => ({
    data: [
      { ...offer, line: "17", narration: "FROM CHIDI", offered_at: "2026-11-21T08:00:00.000Z" },
      {
        ...{ ...offer, line: "18", narration: "REVERSAL", offered_at: "2026-11-21T08:00:00.000Z" },
        ...{ bank_transfer_id: "line:18", is_return: true, is_reversal: true },
      },
    ],
  }));
  const { user } = showAt("/", <DayDetails {...SHEET} />);
  const offers = await screen.findByRole("table", { name: "Offered lines" });
  expect(within(offers).getByRole("link", { name: "FROM CHIDI" }).getAttribute("href")).toBe("/lines/17");
  expect(within(offers).getByText("S-250")).toBeTruthy();
  expect(within(offers).getByText("Taken back by the bank")).toBeTruthy();
  expect(server.fieldsOf("GET days/2026-11-20/charges")).toEqual([]);
  expect(screen.queryByRole("button", { name: /9876543210/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show each charge to 1234567890" }));
  expect((await screen.findByRole("row", { name: /SMS FEE/ })).textContent).toContain("−₦0.50");
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect((await screen.findByRole("row", { name: /VAT/ })).textContent).toContain("Matched: not in the sum");
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(server.fieldsOf("GET days/2026-11-20/charges")).toMatchObject([
    { account: "1234567890" },
    { account: "1234567890", after: "1" },
  ]);
});
