import { readFile } from "node:fs/promises";
import { browseAuditLogs, showDay } from "@collect/contracts";
import { mt940, until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { extractText } from "unpdf";
import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import { downloadedRows, openPage } from "./browser.ts";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";
import { endAccounts } from "./operator-accounts.ts";
import { aCustomerWhoPaid, creditALine, matchByHand } from "./operator-lines.ts";
import { joinOperators } from "./operator-pages.ts";
import { booksOf } from "./own-books.ts";

/** A day at the bank, from its statement to its closing, by two operators in two browsers, by keyboard. */

type World = {
  stack: Stack;
  browser: Browser;
  url: string;
  addAs: (name: string) => (key: string) => Promise<unknown>;
};

export const ACCOUNT = "1234567890";
/** The stack's partner. */
export const BANK = "729";
/** In the order of the lines. */
const [REASONS, OWN_REASON] = [["Monthly fees", "Posted after midnight"], "Top-up for payouts"] as const;
const HOUR_MS = 3_600_000;
/** The last day in Lagos that ended more than five minutes ago: before, it is not complete. */
export const DAY = new Date(Date.now() - 23.1 * HOUR_MS).toISOString().slice(0, 10);
const DAY_WORDS = new Date(DAY).toLocaleDateString("en-GB", {
  ...{ timeZone: "UTC", day: "numeric", month: "short", year: "numeric" },
});

export async function closeADay({ stack, browser, url, addAs }: World): Promise<void> {
  const customer = await aCustomerWhoPaid(stack);
  const [first, second] = [
    await openPage(browser, { expected: [400, 401, 403, 404, 409] }),
    await openPage(browser, { expected: [401, 404] }),
  ];
  for (const [name, { page }] of Object.entries({ ngozi: first, tunde: second })) {
    await page.goto(url);
    await joinOperators(page, addAs(name));
  }
  const before = await booksOf(stack);
  await nameAccount(first.page);
  await uploadStatement(first.page);
  await readDay(first.page);
  await readCharges(first.page);
  await creditALine(first.page, { ...customer, day: DAY });
  await readOffer(first.page);
  await matchByHand(first.page, { stack, day: DAY });
  await giveReasons(first.page);
  await close(second.page);
  await until("the charges and the own funds are booked", async () => {
    const { charges = [], own_funds = [] } = await stack.bus.request(showDay, { day: DAY });
    return charges.length === 1 && own_funds.length === 1 && [...charges, ...own_funds].every(({ booked }) => booked);
  });
  const { charges, own, bank } = await booksOf(stack);
  expect([charges - before.charges, own - before.own, bank - before.bank]).toEqual([70, 300, 250 + 300 - 70]);
  await download(second.page);
  await reopen(first.page);
  await endAccounts(first.page, { account: ACCOUNT, dayWords: DAY_WORDS });
  expect(await acts(stack)).toEqual([
    "ngozi bank_account.continued done",
    "ngozi bank_account.ended done",
    "ngozi bank_account.removed done",
    "ngozi bank_account.set done",
    "ngozi day.reopened done",
    "tunde day.closed done",
    "ngozi day.closed refused",
    "ngozi day.explained done",
    "ngozi day.explained done",
    "ngozi day.explained done",
    "ngozi lines.matched done",
    "ngozi match.undone done",
    "ngozi lines.matched done",
    "ngozi transfer.report_withdrawn refused",
    "ngozi transfer.reported done",
    "ngozi transfer.reported refused",
    "ngozi statements.imported done",
    "ngozi statements.imported done",
    "ngozi statements.imported refused",
    "ngozi bank_account.set done",
  ]);
  expect([...first.faults, ...second.faults]).toEqual([]);
  await Promise.all([first.close(), second.close()]);
}

const NARRATIONS = ["FROM ADA", "FROM CHIDI", "FROM TREASURY", "MAINTENANCE FEE", "MAINTENANCE FEE"];
/** What is on it is not with us: the day differs by all of it. */
const LINES = [100_000n, 25_000n, 30_000n, -5_000n, -2_000n].map((amount, place) => ({
  amount,
  narration: NARRATIONS[place] ?? "",
}));
const STATEMENT = mt940({ account: ACCOUNT, day: DAY, number: 1, opening: 0n, lines: LINES });

async function nameAccount(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole("link", { name: "Statements", exact: true }));
  await page.getByText("No account is named yet.").waitFor();
  await pressByKeyboard(page, page.getByRole("button", { name: "Name an account" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Account number").fill("12");
  await dialog.getByLabel("Bank", { exact: true }).fill(BANK);
  await dialog.getByRole("checkbox", { name: "Payouts leave from it" }).check();
  await dialog.getByLabel("Words of the bank's own charges (optional)").fill("FEE");
  await dialog.getByLabel("Its files are CSV or XLSX").check();
  await expectFit(page);
  await dialog.getByLabel("Its files are CSV or XLSX").uncheck();
  const submit = dialog.getByRole("button", { name: "Name an account" });
  await pressByKeyboard(page, submit);
  await dialog.getByText("must be the number as the bank's statements have it").waitFor();
  await dialog.getByLabel("Account number").fill(ACCOUNT);
  await pressByKeyboard(page, submit);
  await page.getByRole("button", { name: `Change ${ACCOUNT}` }).waitFor();
}

async function uploadStatement(page: Page): Promise<void> {
  const choose = async (text: string) => {
    const button = page.getByRole("button", { name: "Choose a statement file" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), pressByKeyboard(page, button)]);
    await chooser.setFiles({ name: "harbour.sta", mimeType: "text/plain", buffer: Buffer.from(text) });
  };
  await choose(STATEMENT.replace("D20,00", "D2O,00"));
  await page.getByText("Nothing of this file was imported").waitFor();
  await page.getByText("Line 13:").waitFor();
  await page.getByText("No statement was imported yet.").waitFor();
  await expectFit(page);
  for (const title of ["The file was imported", "This file was imported before. Nothing has changed"]) {
    await choose(STATEMENT);
    await page.getByRole("status").getByText(title, { exact: true }).waitFor();
  }
  await page.getByText(`${ACCOUNT}, no. 1, ${DAY_WORDS}: 5 lines, ₦0.00 to ₦1,480.00`).waitFor();
  await page.getByRole("row", { name: /harbour\.sta ngozi/ }).waitFor();
  await expectFit(page);
}

async function readDay(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole("link", { name: "Days", exact: true }));
  await page.getByText("Lines of the difference without a reason: 4.").waitFor();
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("link", { name: `Check ${DAY_WORDS}` }));
  await page.getByRole("heading", { name: DAY_WORDS, level: 1 }).waitFor();
  const balance = page.getByRole("region", { name: `${ACCOUNT} at ${BANK}` });
  await expect
    .poll(() => balance.textContent())
    .toMatch(
      /matched0 of 5Opening₦0\.00In₦1,550\.00Out₦0\.00Charges−₦70\.00Closing₦1,480\.00In our books₦0\.00Difference₦1,480\.00$/,
    );
  expect(await page.getByRole("region", { name: "Difference", exact: true }).textContent()).toMatch(/₦1,480\.00\s*$/);
  expect(await page.getByRole("button", { name: "Close day" }).count()).toBe(0);
  await expectFit(page);
}

/** The sheet has one line of them. */
async function readCharges(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole("button", { name: `Show each charge to ${ACCOUNT}` }));
  const charges = page.getByRole("table", { name: `Charges to ${ACCOUNT}` });
  await expect.poll(() => charges.getByRole("row", { name: /MAINTENANCE FEE.*In the sum/ }).count()).toBe(2);
  await expectFit(page);
}

async function readOffer(page: Page): Promise<void> {
  const offered = page.getByRole("table", { name: "Offered lines" });
  await offered.getByRole("row", { name: /FROM CHIDI.*S-250/ }).waitFor();
  await pressByKeyboard(page, offered.getByRole("link", { name: "FROM CHIDI" }));
  await page.getByText("A transfer with the bank's ID S-250").waitFor();
  await pressByKeyboard(page, page.getByRole("link", { name: /^The day / }));
}

async function giveReasons(page: Page): Promise<void> {
  const explain = async (name: string, reason: string) => {
    await pressByKeyboard(page, page.getByRole("button", { name }).first());
    await page.getByRole("dialog").getByLabel("Reason").fill(reason);
    await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name }));
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };
  await explain("Own funds", OWN_REASON);
  await page.getByText(`Own funds: ${OWN_REASON} (ngozi)`).first().waitFor();
  // The bank's charges are one line.
  for (const reason of REASONS) await explain("Give a reason", reason);
  await page.getByText("It can be closed", { exact: true }).waitFor();
  await pressByKeyboard(page, page.getByRole("button", { name: "Close day" }));
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Close day" }));
  await page
    .getByText("You gave a reason, matched by hand or ended an account: another person closes the day.")
    .waitFor();
  await expectFit(page);
  await page.keyboard.press("Escape");
}

async function close(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole("link", { name: "Days", exact: true }));
  await page.getByText("Nothing: it can be closed").waitFor();
  await pressByKeyboard(page, page.getByRole("link", { name: DAY_WORDS, exact: true }));
  await page.getByText(`${REASONS[1]} (ngozi)`).first().waitFor();
  await pressByKeyboard(page, page.getByRole("button", { name: "Close day" }));
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Close day" }));
  await page.getByText("Closed by tunde").waitFor();
  await expectFit(page);
}

/** The figures of the page. */
async function download(page: Page): Promise<void> {
  const rows = await downloadedRows(page, () => pressByKeyboard(page, page.getByRole("link", { name: "CSV" })));
  expect(rows).toMatchObject([
    {
      day: DAY,
      section: "account",
      account: ACCOUNT,
      in: "1550.00",
      out: "0.00",
      charges: "-70.00",
      closing: "1480.00",
    },
    { section: "ledger", closing: "0.00", difference: "" },
    { section: "total", difference: "1480.00" },
    { section: "balance", closing: "1480.00", difference: "1250.00" },
    { section: "balance timing", difference: "250.00" },
    { section: "balance not booked", difference: "1000.00" },
    { difference: "300.00", class: "bank_only", what: "FROM TREASURY", reason: OWN_REASON, "explained by": "ngozi" },
    { difference: "-70.00", class: "charge", what: "2 lines: the largest -50.00 MAINTENANCE FEE", reason: REASONS[0] },
    { difference: "0.00", class: "by_hand", reason: "matched by hand", "explained by": "ngozi" },
    { difference: "1000.00", class: "ledger", reason: REASONS[1], "explained by": "ngozi" },
    { difference: "250.00", class: "timing", reason: "" },
  ]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    pressByKeyboard(page, page.getByRole("link", { name: "PDF" })),
  ]);
  const { text } = await extractText(new Uint8Array(await readFile(await file.path())), { mergePages: true });
  expect(text).toContain("Closed by tunde");
  expect(text).toContain(`${ACCOUNT} at ${BANK} 0.00 1,550.00 0.00 −70.00 1,480.00`);
}

async function reopen(page: Page): Promise<void> {
  await page.reload();
  await pressByKeyboard(page, page.getByRole("button", { name: "Reopen day" }));
  await page.getByLabel("Reason").fill("The bank corrected a line");
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Reopen day" }));
  await page.getByText("It can be closed", { exact: true }).waitFor();
}

/** What the audit log has of it, the newest first. */
const acts = async (stack: Stack) =>
  (await stack.bus.request(browseAuditLogs, {})).data
    .filter(({ action }) => /^(day|statements|bank_account|lines|match)\.|^transfer\.report/.test(action))
    .map(({ actor, action, outcome }) => `${actor.label} ${action} ${outcome}`);
