import type { Page } from "playwright-core";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";

/** One that was named by mistake is removed, and one with money in it ends, and continues. */
export async function endAccounts(page: Page, given: { account: string; dayWords: string }): Promise<void> {
  const { account, dayWords } = given;
  await pressByKeyboard(page, page.getByRole("link", { name: "Statements", exact: true }));
  const dialog = page.getByRole("dialog");
  const act = async (name: string, work: () => Promise<unknown>) => {
    await pressByKeyboard(page, page.getByRole("button", { name, exact: true }));
    await work();
    await pressByKeyboard(page, dialog.getByRole("button", { name }));
    await dialog.waitFor({ state: "hidden" });
  };
  const [mistake, reason] = ["0001112223", () => dialog.getByLabel("Reason").fill("The bank closed it")];
  await act("Name an account", async () => {
    await dialog.getByLabel("Account number").fill(mistake);
    await dialog.getByLabel("Bank", { exact: true }).fill("044");
  });
  await act(`Remove ${mistake}`, reason);
  await page.getByRole("button", { name: `Remove ${mistake}` }).waitFor({ state: "hidden" });
  await act(`End ${account}`, async () => {
    await dialog.getByText("Its last statement leaves ₦1,480.00 at the bank.").waitFor();
    await reason();
    await expectFit(page);
  });
  await page.getByText(`${dayWords}, ended`).waitFor();
  await expectFit(page);
  await act(`Continue ${account}`, reason);
  await page.getByRole("button", { name: `End ${account}` }).waitFor();
}
