import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { anEvent } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { RequestPanel } from "./request-panel.tsx";

const server = useServer();
const REVEAL = `POST m/${MERCHANT}/:mode/keys/reveal`;

type Trace = ReadResponse<"requests/:id">;
const aTrace = (call: Partial<Trace["call"]> = {}, trace: Partial<Omit<Trace, "call">> = {}): Trace => ({
  call: {
    id: "7",
    at: "2026-11-21T09:30:00.123+00:00",
    request_id: "req_1",
    method: "POST",
    path: "/v1/customer_accounts/cust_1/simulate_payment",
    status: 400,
    code: "validation_failed",
    duration_ms: 12,
    key: "sk_test_…3xYz",
    made: null,
    problem: {
      detail: "The request has invalid fields.",
      errors: [{ param: "amount", code: "too_small", message: "must be more than 0" }],
    },
    query: "a=1",
    body: { type: "application/json", text: '{"amount":-5,"payer_name":"O\'Brien"}' },
    ...call,
  },
  record: { kind: "customers", reference: "cust_1" },
  events: [],
  ...trace,
});

type Options = NonNullable<Parameters<typeof showPage>[1]>["scope"];
function open(trace: Trace, scope: Options = { role: "developer" }) {
  server.reads("requests/:id", trace, scope.mode);
  const shown = showPage(<RequestPanel />, {
    at: `developers/requests/${trace.call.id}`,
    path: "developers/requests/:id",
    scope,
  });
  return { ...shown, copied: () => navigator.clipboard.readText() };
}
const link = (name: string | RegExp) => screen.getByRole("link", { name }).getAttribute("href");

test("a refused request shows why, what was sent both ways, and leads to what it is about", async () => {
  const { user } = open(aTrace());
  await screen.findByText("The request has invalid fields.");
  screen.getByText("must be more than 0", { exact: false });
  expect(link(/What causes validation_failed/)).toBe("http://localhost:4000/docs/errors/validation_failed");
  expect(link("cust_1")).toBe(`/m/${MERCHANT}/test/customers/cust_1`);
  screen.getByText("?a=1");
  expect(document.body.textContent).toContain('{\n  "amount": -5,');
  await user.click(screen.getByRole("radio", { name: "Raw" }));
  expect(document.body.textContent).toContain('{"amount":-5,');
});

test("a developer copies it with the test secret key filled in, which is asked for only then", async () => {
  server.acts("keys/reveal", { key_id: "1", key: "sk_test_whole" });
  const { user, copied } = open(aTrace());
  const button = await screen.findByRole("button", { name: "Copy as curl" });
  expect(server.fieldsOf(REVEAL)).toEqual([]);
  await user.click(button);
  await screen.findByRole("button", { name: "Copied" });
  expect(await copied()).toBe(
    [
      "curl 'http://localhost:4000/v1/customer_accounts/cust_1/simulate_payment?a=1'",
      "-H 'Authorization: Bearer sk_test_whole'",
      "-H 'Content-Type: application/json'",
      `--data-raw '{"amount":-5,"payer_name":"O'\\''Brien"}'`,
    ].join(" \\\n  "),
  );
});

test("a key that cannot be shown again is a refusal with a way on, and those who may not see it are never given it", async () => {
  server.refuses("POST", `m/${MERCHANT}/test/keys/reveal`, { status: 409, code: "conflict", detail: "Roll it." });
  const { user, copied, unmount } = open(aTrace());
  await user.click(await screen.findByRole("button", { name: "Copy as curl" }));
  await screen.findByText("Roll it.");
  await user.click(screen.getByRole("button", { name: "Copy with COLLECT_KEY instead" }));
  await waitFor(async () => expect(await copied()).toContain('"Authorization: Bearer $COLLECT_KEY"'));
  unmount();
  const asked = server.fieldsOf(REVEAL).length;
  const viewer = open(aTrace({ id: "8" }), { role: "viewer" });
  await viewer.user.click(await screen.findByRole("button", { name: "Copy as curl" }));
  expect(await copied()).toContain("$COLLECT_KEY");
  expect(server.fieldsOf(REVEAL)).toHaveLength(asked);
});

test("in live mode a read is copied without a key, and a POST, whose body is not kept, is not offered", async () => {
  const live = { query: null, body: null, problem: null, code: null, status: 200 };
  const { user, copied, unmount } = open(aTrace({ ...live, method: "GET", path: "/v1/balance" }, { record: null }), {
    mode: "live",
    role: "owner",
  });
  await user.click(await screen.findByRole("button", { name: "Copy as curl" }));
  expect(await copied()).toBe(`curl 'http://localhost:4000/v1/balance' \\\n  -H "Authorization: Bearer $COLLECT_KEY"`);
  expect(server.fieldsOf(REVEAL)).toEqual([]);
  unmount();
  open(aTrace({ ...live, id: "8" }), { mode: "live", role: "owner" });
  await screen.findByText(/The body of a live request isn't kept/);
  expect(screen.queryByRole("button", { name: "Copy as curl" })).toBeNull();
});

test("a request that moved money leads on to its events and deliveries", async () => {
  const made = { status: 200, code: null, problem: null, made: "col_1" };
  const record = { kind: "collections", reference: "col_1" } as const;
  const delivery = { number: 5, status: "delivered", attempts: 1, last_status: 200, next_attempt_at: null } as const;
  const { unmount } = open(aTrace(made, { record, events: [anEvent({ delivery })] }));
  await screen.findByText("What followed");
  expect(link("Event 12")).toBe(`/m/${MERCHANT}/test/developers/events/12`);
  expect(link("Delivery 5")).toBe(`/m/${MERCHANT}/test/developers/deliveries/5`);
  screen.getByText("Delivered");
  unmount();
  open(aTrace({ ...made, id: "8" }, { record, events: null }));
  await screen.findByText(/Temporarily unavailable/);
});

test("a body that was too long to keep is not passed off as the request", async () => {
  open(aTrace({ body: { type: "application/json", text: null } }));
  await screen.findByText(/longer than 2,000 characters/);
  expect(screen.queryByRole("button", { name: "Copy as curl" })).toBeNull();
});
