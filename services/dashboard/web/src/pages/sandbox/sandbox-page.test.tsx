import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import { SandboxPage } from "./sandbox-page.tsx";

const server = useServer();
const CLOCK = { now: "2026-11-21T10:00:00.000+00:00", ahead_by: 0, mode: "test" as const };
const ADVANCE = `POST m/${MERCHANT}/test/test-clock`;
const noCustomers = () => server.reads("customers", { data: [], next: null });

test("the clock is advanced by a duration, again and again until all that was due is done", async () => {
  server.reads("test-clock", CLOCK);
  noCustomers();
  const ahead = { ...CLOCK, now: "2126-11-22T10:00:00.000+00:00", ahead_by: 86_400 };
  server.reads("test-clock", { ...CLOCK, now: "2126-11-21T10:00:00.000+00:00" });
  server.acts("test-clock", () => ({ ...ahead, has_more: server.fieldsOf(ADVANCE).length < 3 }));
  const { user } = showPage(<SandboxPage />, { scope: { role: "finance" } });
  await user.click(await screen.findByRole("button", { name: "Advance clock" }));
  await screen.findByText(/Everything due by then is done/);
  const asked = { advance_to: "2126-11-22T10:00:00.000Z" };
  expect(server.fieldsOf(ADVANCE)).toEqual([asked, asked, asked]);
});

test("to a time is Lagos time, and a refusal is shown at the field", async () => {
  server.reads("test-clock", CLOCK);
  noCustomers();
  server.refuses("POST", `m/${MERCHANT}/test/test-clock`, {
    status: 400,
    code: "validation_failed",
    errors: [{ param: "advance_to", code: "too_big", message: "must be at most 400 days ahead" }],
  });
  const { user } = showPage(<SandboxPage />);
  await user.click(await screen.findByRole("radio", { name: "To a time" }));
  await user.type(screen.getByLabelText(/Advance to, in Lagos time/), "2028-01-01T09:00");
  await user.click(screen.getByRole("button", { name: "Advance clock" }));
  await screen.findByText("Must be at most 400 days ahead.");
  expect(server.fieldsOf(ADVANCE)).toEqual([{ advance_to: "2028-01-01T08:00:00.000Z" }]);
});

test("a scenario is played, and leads to what it made; attempts are asked for only where a server fails", async () => {
  server.reads("test-clock", CLOCK);
  noCustomers();
  const report = { amount: 2500, paid_at: CLOCK.now, payer_name: "Tunde Bello" };
  server.acts("scenarios", {
    name: "receiver_fails",
    seed: 7,
    account_number: "0123456789",
    reports: [
      { ...report, result: "credited", reference: "col_1" },
      { ...report, result: "quarantined", reference: null },
    ],
    mode: "test",
  });
  const { user } = showPage(<SandboxPage />, { scope: { role: "developer" } });
  const what = await screen.findByRole<HTMLInputElement>("combobox", { name: "What goes wrong" });
  expect(screen.queryByLabelText(/Attempts that fail/)).toBeNull();
  await user.click(what);
  await user.click(await screen.findByRole("option", { name: "Your server: responds with 500" }));
  await user.type(screen.getByLabelText(/Account number/, { selector: "input" }), "0123456789");
  await user.clear(screen.getByLabelText(/Seed/));
  await user.type(screen.getByLabelText(/Seed/), "7");
  await user.click(screen.getByRole("button", { name: "Play scenario" }));
  await screen.findByText(/Quarantined: never credited/);
  expect(screen.getAllByRole("link", { name: "View collection" }).map((link) => link.getAttribute("href"))).toEqual([
    `/m/${MERCHANT}/test/collections/col_1`,
  ]);
  expect(server.fieldsOf(`POST m/${MERCHANT}/test/scenarios`)).toEqual([
    { name: "receiver_fails", account_number: "0123456789", seed: 7, times: 1 },
  ]);
});

test("a scenario that is refused says why, at its field or above", async () => {
  server.reads("test-clock", CLOCK);
  noCustomers();
  server.refuses("POST", `m/${MERCHANT}/test/scenarios`, {
    status: 404,
    code: "not_found",
    detail: "No such account.",
  });
  const { user } = showPage(<SandboxPage />);
  await user.type(await screen.findByLabelText(/Account number/, { selector: "input" }), "0123456789");
  await user.click(screen.getByRole("button", { name: "Play scenario" }));
  await screen.findByText("No such account.");
});

test("support and viewers read it without the forms; live mode has no sandbox and asks for nothing", async () => {
  server.reads("test-clock", { ...CLOCK, ahead_by: 2 * 86_400 });
  const { unmount } = showPage(<SandboxPage />, { scope: { role: "support" } });
  await screen.findByText("2 days");
  for (const name of ["Advance clock", "Play scenario"]) expect(screen.queryByRole("button", { name })).toBeNull();
  unmount();
  const before = server.sent.length;
  showPage(<SandboxPage />, { scope: { mode: "live" } });
  const link = await screen.findByRole("link", { name: "Switch to test mode" });
  expect(link.getAttribute("href")).toBe(`/m/${MERCHANT}/test/developers/sandbox`);
  await waitFor(() => expect(server.sent).toHaveLength(before));
});
