import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { anEvent } from "../../test/examples.ts";
import { showPage } from "../../test/page.tsx";
import { useServer } from "../../test/server.ts";
import { AuditPage } from "./audit/audit-page.tsx";
import { DeliveriesPage } from "./deliveries/deliveries-page.tsx";
import { EventsPage } from "./events/events-page.tsx";
import { RequestsPage } from "./requests/requests-page.tsx";

const server = useServer();
const at = new Date().toISOString();

/** What a row shows on a phone and beside a record. */
async function narrowRow(title: string) {
  const table = await screen.findByRole("table", { name: title });
  await screen.findAllByText("just now");
  const cells = [...table.querySelectorAll<HTMLElement>("[data-narrow]")];
  return Object.fromEntries(cells.map((cell) => [cell.getAttribute("data-narrow"), cell.textContent]));
}

test("a narrow row of Deliveries says whether it was delivered", async () => {
  const { delivery: _, tried: _tried, ...event } = anEvent({ created_at: at });
  const last = { status: "delivered", attempts: 1, last_status: 200, next_attempt_at: null } as const;
  server.reads("deliveries", { data: [{ ...event, ...last, number: 5, url: "https://ada.example/" }], next: null });
  showPage(<DeliveriesPage />);
  expect(await narrowRow("Deliveries")).toMatchObject({
    name: "5",
    amount: "collection.success",
    status: "Delivered",
    time: "just now",
  });
});

test("a narrow row of Events has its amount and whether it was delivered", async () => {
  const { tried: _, ...event } = anEvent({ created_at: at });
  server.reads("events", { data: [event], next: null });
  showPage(<EventsPage />);
  expect(await narrowRow("Events")).toMatchObject({
    name: "12",
    amount: "₦2,500.73",
    status: "Pending",
    time: "just now",
  });
});

test("a narrow row of API requests has the response, and the time last", async () => {
  const call = {
    id: "7",
    at,
    request_id: "req_1",
    method: "GET",
    path: "/v1/balance",
    key: "sk_test_…3xYz",
    made: null,
  };
  server.reads("requests", { data: [{ ...call, status: 404, code: "not_found", duration_ms: 12 }], next: null });
  showPage(<RequestsPage />);
  expect(await narrowRow("API requests")).toEqual({
    name: "GET /v1/balance",
    amount: "12 ms",
    status: "404 not_found",
    time: "just now",
  });
});

test("a narrow row of the audit log says what was done, by whom, and whether it was refused", async () => {
  const who = { kind: "member", name: "Ada Obi", email: "ada@example.com" };
  const entry = { id: "1", at, who, action: "key.rolled", detail: {}, mode: null, outcome: "refused" } as const;
  server.reads("audit", { data: [entry], next: null });
  showPage(<AuditPage />);
  expect(await narrowRow("Audit log")).toMatchObject({ status: "Ada Obi", amount: "Refused", time: "just now" });
});
