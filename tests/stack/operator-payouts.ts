import { until } from "@collect/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { payoutOrder, type Shop } from "../faults/shop.ts";
import type { Stack } from "../stack.ts";
import { client } from "./client.ts";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";

/** A payout that the bank never answers, ended by two operators with four eyes on. */

type World = { stack: Stack; shop: Shop; url: string; proposer: Page; approver: Page };

export async function endAPayout({ stack, shop, url, proposer, approver }: World): Promise<void> {
  await client(`${stack.bankSimulatorUrl}/control`).post("/payouts", { begin: "pending", times: 1 });
  const { body } = await shop.api.post("/transfers", payoutOrder(1));
  const id = String(body.reference);
  const payments = stack.database("payments");
  const sent = "select reference from transfers where step = 'sending' and attempts > 0 and merchant_id = $1";
  const ids = await until("the bank was asked", async () => {
    const { rows } = await payments.query(sent, [shop.merchant.id]);
    return rows.length === 1 && rows;
  });
  const reference = String(ids[0]?.reference);
  await payments.query("update transfers set sent_at = sent_at - interval '1 hour' where reference = $1", [reference]);

  await proposer.goto(`${url}/payouts`);
  await proposer.getByText("1 hour ago").waitFor();
  await expectFit(proposer);
  await pressByKeyboard(proposer, proposer.getByRole("link", { name: reference }));
  await propose(proposer, { choice: "failed" });
  await propose(proposer, { choice: "paid", reference: "FT-1" });
  await proposer.goto(`${url}/proposals`);
  await proposer.getByText("Proposed: say how a payout ended").first().waitFor();
  expect(await proposer.getByRole("button", { name: "Approve" }).count()).toBe(0);

  await approver.goto(`${url}/proposals`);
  // The bank is executing it: what would be returned could be paid, too.
  await approve(approver, "null");
  await approver.getByText("The bank has this transfer and does not say how it ended.").first().waitFor();
  await approver.keyboard.press("Escape");
  await approve(approver, "FT-1");
  await until("the payout has succeeded", async () => {
    const { body: transfer } = await shop.api.get(`/transfers/${id}`);
    return transfer.status === "success";
  });
  await proposer.goto(`${url}/payouts/${reference}`);
  await proposer.getByText("Nothing is to be decided about it.").waitFor();
}

async function propose(page: Page, { choice, reference }: { choice: string; reference?: string }): Promise<void> {
  await pressByKeyboard(page, page.getByRole("button", { name: "Say how it ended" }));
  await page.getByLabel("What the bank says").selectOption(choice);
  await page.getByLabel("How you know").fill("The bank's mail of today");
  if (reference) {
    await page.getByLabel("The bank's reference of it").fill(reference);
    await expectFit(page);
  }
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Say how it ended" }));
  await page.getByText("A second operator has to approve this").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/** The proposal that has this value of the bank's reference. */
async function approve(page: Page, value: string): Promise<void> {
  const cell = page.getByRole("cell", { name: value, exact: true });
  const card = page.locator(".mantine-Card-root", { has: cell });
  await pressByKeyboard(page, card.getByRole("button", { name: "Approve" }));
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Approve" }));
}
