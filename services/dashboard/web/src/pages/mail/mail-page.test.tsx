import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { MailPage } from "./mail-page.tsx";

const server = useServer();
const LABEL = /starts to fail/;
const SET = `POST m/${MERCHANT}/test/mails`;

test("a developer turns off mails about the webhook, and only those have a switch", async () => {
  server.reads("mails", () => ({ webhook: server.fieldsOf(SET).length === 0 }));
  server.acts("mails", { webhook: false });
  const { user } = showPage(<MailPage />, { scope: { role: "developer" } });
  const choice = await screen.findByLabelText<HTMLInputElement>(LABEL);
  expect(screen.getAllByRole("switch")).toHaveLength(1);
  expect(choice.checked).toBe(true);
  await user.click(choice);
  await waitFor(() => expect(choice.checked).toBe(false));
  expect(server.fieldsOf(SET)).toEqual([{ webhook: false }]);
});

test("a choice that was refused is not shown as made", async () => {
  server.reads("mails", { webhook: true });
  server.refuses("POST", `m/${MERCHANT}/test/mails`, { status: 503, code: "service_unavailable", detail: "Not now." });
  const { user } = showPage(<MailPage />);
  await user.click(await screen.findByLabelText(LABEL));
  await screen.findByText("Not now.");
  expect(screen.getByLabelText<HTMLInputElement>(LABEL).checked).toBe(true);
});

test("roles that get no such mails have no choice to make", async () => {
  showPage(<MailPage />, { scope: { role: "finance" } });
  await screen.findByText("Always sent");
  expect(screen.queryByRole("switch")).toBeNull();
});
