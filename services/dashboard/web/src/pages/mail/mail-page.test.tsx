import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { MailPage } from "./mail-page.tsx";

const server = useServer();
const LABEL = /starts to fail/;
const SET = `POST m/${MERCHANT}/test/mails`;

test("a developer turns off mails about the webhook, and only those have a switch", async () => {
  server.reads("mails", () => ({ webhook: server.fieldsOf(SET).length === 0, reports: null }));
  server.acts("mails", { webhook: false, reports: null });
  const { user } = showPage(<MailPage />, { scope: { role: "developer" } });
  const choice = await screen.findByLabelText<HTMLInputElement>(LABEL);
  expect(screen.getAllByRole("switch")).toHaveLength(1);
  expect(choice.checked).toBe(true);
  await user.click(choice);
  await waitFor(() => expect(choice.checked).toBe(false));
  expect(server.fieldsOf(SET)).toEqual([{ webhook: false }]);
});

test("a choice that was refused is not shown as made", async () => {
  server.reads("mails", { webhook: true, reports: null });
  server.refuses("POST", `m/${MERCHANT}/test/mails`, { status: 503, code: "service_unavailable", detail: "Not now." });
  const { user } = showPage(<MailPage />);
  await user.click(await screen.findByLabelText(LABEL));
  await screen.findByText("Not now.");
  expect(screen.getByLabelText<HTMLInputElement>(LABEL).checked).toBe(true);
});

test("roles that get no such mails have no choice to make", async () => {
  showPage(<MailPage />, { scope: { role: "support" } });
  await screen.findByText("Always sent");
  for (const role of ["switch", "combobox"]) expect(screen.queryByRole(role)).toBeNull();
});

test("a finance member chooses how often statements are announced, and has no choice about the webhook", async () => {
  const sent = () => server.fieldsOf(SET);
  server.reads("mails", () => ({ webhook: true, reports: sent().length === 1 ? "monthly" : null }));
  server.acts("mails", { webhook: true, reports: null });
  const { user } = showPage(<MailPage />, { scope: { role: "finance" } });
  const choice = await screen.findByLabelText<HTMLSelectElement>(/ready to download/);
  expect([choice.value, screen.queryByRole("switch")]).toEqual(["never", null]);
  await user.selectOptions(choice, "monthly");
  await waitFor(() => expect([choice.value, choice.disabled]).toEqual(["monthly", false]));
  await user.selectOptions(choice, "never");
  await waitFor(() => expect(sent()).toEqual([{ reports: "monthly" }, { reports: null }]));
});
