import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aSession } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import { RecordPanel } from "./record-panel.tsx";

const server = useServer();
const panelOf = (reference: string) => (
  <RecordPanel title={`Session ${reference}`} list="sessions" path="sessions/:reference" fields={{ reference }}>
    {({ payment }) => <p>asks {payment.amount}</p>}
  </RecordPanel>
);
const show = (reference = "pay_1") => showPage(panelOf(reference), { at: `sessions/${reference}` });

test("a reference of the other mode is not found here, and the page suggests the other mode", async () => {
  server.refuses("GET", `m/${MERCHANT}/test/sessions/:reference`, { status: 404, code: "not_found" });
  show();
  await screen.findByText(/Nothing was found for this reference in test mode/);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a record that cannot be read is not reported as not found", async () => {
  server.refuses("GET", `m/${MERCHANT}/test/sessions/:reference`, { status: 429, code: "rate_limited" });
  show();
  expect((await screen.findByRole("alert")).textContent).toContain("This can't be shown right now");
  expect(screen.queryByText(/Nothing was found/)).toBeNull();
});

test("a record whose refresh fails stays, and is marked as out of date", async () => {
  server.reads("sessions/:reference", aSession());
  show();
  await screen.findByText("asks 2500.07");
  server.refuses("GET", `m/${MERCHANT}/test/sessions/:reference`, { status: 429, code: "rate_limited" });
  await queryClient.invalidateQueries();
  expect((await screen.findByRole("alert")).textContent).toContain("may be out of date");
  expect(screen.getByText("asks 2500.07")).toBeTruthy();
});

test("closing the panel returns to the list with its filters", async () => {
  server.reads("sessions/:reference", aSession());
  const { user, address } = showPage(panelOf("pay_1"), { at: "sessions/pay_1?status=paid" });
  await user.click(await screen.findByRole("button", { name: "Close" }));
  expect(address()).toBe(`/m/${MERCHANT}/test/sessions?status=paid`);
});
