import { until } from "@collect/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import { aBankTransfer, reportTransfer } from "./bank.ts";
import { client } from "./client.ts";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";

/** What an operator does about single lines of a day that has 1,000 from ADA and 250 from CHIDI, by keyboard. */

/** A customer who paid ₦600 and ₦400, of which the bank has one line, on `day`; and ₦250, of which no report came. */
export async function aCustomerWhoPaid(stack: Stack) {
  const merchant = await stack.createMerchant({ name: "Chidi's Books" });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await api.post("/customer_accounts", { customer_reference: "chi", customer_name: "Chidi Eze" });
  const account = String(body.account_number);
  for (const amount of [600, 400])
    await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: account, amount }));
  await merchant.untilReceived("live", 2);
  return { merchant, api, account };
}
type Customer = Awaited<ReturnType<typeof aCustomerWhoPaid>>;

/** A lost notification is credited once its recipient was seen; a wrong offer is refused and taken back before. */
export async function creditALine(page: Page, { api, account, merchant, day }: Customer & { day: string }) {
  await pressByKeyboard(page, page.getByRole("row", { name: /FROM CHIDI/ }).getByRole("link", { name: "Credit it" }));
  await page.getByText("In no match").waitFor();
  const fill = async (amount: string) => {
    await page.getByLabel("Bank's ID of the transfer").fill("S-250");
    await page.getByLabel("Account that was paid into").fill(account);
    await page.getByLabel("What the payer sent").fill(amount);
    await page.getByLabel("Paid at, in Lagos time").fill(`${day}T09:30`);
    await pressByKeyboard(page, page.getByRole("button", { name: "Show who gets it" }));
    await page.getByRole("link", { name: merchant.name }).waitFor();
    await pressByKeyboard(page, page.getByRole("button", { name: "Credit it" }));
  };
  const confirm = () =>
    pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Credit it", exact: true }));
  await fill("750");
  await confirm();
  await page.getByText(/^The amount is that of the line, with a fee that the bank kept of it/).waitFor();
  await leave(page);
  await fill("250");
  await page
    .getByRole("dialog")
    .getByText(/₦250\.00, paid into/)
    .waitFor();
  await expectFit(page);
  await confirm();
  await page.getByText("Credited. Within a minute or two").waitFor();
  await leave(page);
  await expectFit(page);
  await merchant.untilReceived("live", 3);
  expect((await api.get("/balance")).body).toMatchObject({ collected: 1_237.5 });

  await pressByKeyboard(page, page.getByRole("button", { name: "Take back an offer" }));
  await page.getByLabel("Bank's ID that it was offered under").fill("S-250");
  await page.getByLabel("Reason").fill("A second thought");
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Take back an offer" }));
  await page.getByText(/^(The line is matched with the transfer|It was credited under this id)/).waitFor();
  await leave(page);
  await pressByKeyboard(page, page.getByRole("link", { name: /^The day / }));
}

async function leave(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/** What came as two transfers is one line of the bank. Until all of it is chosen, nothing can be matched. It is undone, and done again. */
export async function matchByHand(page: Page, { stack, day }: { stack: Stack; day: string }): Promise<void> {
  await page.getByRole("checkbox", { name: "FROM ADA" }).waitFor();
  // As if they had been received on that day: a test cannot wait for the next.
  const moved = await stack
    .database("statements")
    .query("update movements set occurred_on = $1, booked_on = $1 where amount in (60000, 40000) returning key", [day]);
  expect(moved.rowCount).toBe(2);
  await page.reload();
  const choose = async (name: RegExp) => {
    const box = page.getByRole("checkbox", { name });
    await box.focus();
    await page.keyboard.press("Space");
  };
  const matchAll = async () => {
    await choose(/FROM ADA/);
    await choose(/^int_\S+ 600/);
    await page.getByText(/The sums differ\.$/).waitFor();
    expect(await page.getByRole("button", { name: "Match by hand" }).count()).toBe(0);
    await expectFit(page);
    await choose(/^int_\S+ 400/);
    await pressByKeyboard(page, page.getByRole("button", { name: "Match by hand" }));
    await page
      .getByRole("dialog")
      .getByText(/₦1,000\.00 on each side/)
      .waitFor();
    await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Match by hand" }));
    await page.getByRole("row", { name: /Matched by hand/ }).waitFor();
    await expectFit(page);
  };
  await matchAll();
  await pressByKeyboard(page, page.getByRole("button", { name: "Undo match" }));
  await page.getByRole("dialog").getByLabel("Reason").fill("A second thought");
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Undo match" }));
  await page.getByRole("checkbox", { name: /FROM ADA/ }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await matchAll();
  const matches = "select from matches where evidence = 'hand' and made_by = 'ngozi'";
  await until("it is kept", async () => (await stack.database("statements").query(matches)).rowCount === 1);
}
