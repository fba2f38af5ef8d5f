import { expect, test } from "vitest";
import { aSession } from "../../../test/examples.ts";
import { sessionSteps } from "./session-steps.ts";

const at = (time: string) => `2026-11-21T${time}.000+00:00`;
const during = Date.parse(at("10:10:00"));
const nextWeek = Date.parse("2026-11-28T10:00:00Z");
const whatOf = (session: ReturnType<typeof aSession>, now: number) =>
  sessionSteps(session, now).map(({ what }) => what);

test("an open session shows when it expires and until when a payment is still matched to it", () => {
  expect(whatOf(aSession(), during)).toEqual(["Created", "Expires", "Watch window closes"]);
});

test("steps are listed in the order in which they happened, not in the order of the record", () => {
  const collection = { reference: "col_1", amount: 2500.07, fee: 25, net: 2475.07, paid_at: at("10:04:00") };
  const session = aSession(
    { status: "paid", collections: [collection], paid_at: at("10:04:02") },
    { sent_at: at("10:05:00") },
  );
  expect(whatOf(session, during)).toEqual([
    "Created",
    "₦2,500.07 arrived",
    "Paid",
    "Payer reported the transfer",
    "Watch window closes",
  ]);
});

test("a payment after the expiry is shown as late, after the expiry", () => {
  const session = aSession({ status: "paid_late", paid_at: at("11:00:00") });
  expect(whatOf(session, nextWeek)).toEqual(["Created", "Expired", "Paid late", "Watch window closed"]);
});

test("late payments are said to be matched, but not to the rest of a session on a shared account", () => {
  const detailOf = (customer_reference: string | null) =>
    sessionSteps(aSession({ status: "underpaid", customer_reference }), during).at(-1)?.detail;
  expect(detailOf("cust_42")).toMatch(/still matched to it/);
  expect(detailOf(null)).toBeNull();
});

test("each session shows who created it", () => {
  const openedBy = (opened_by: "secret_key" | "public_key" | "payment_link") =>
    sessionSteps(aSession({ opened_by }), during)[0]?.detail;
  expect([openedBy("secret_key"), openedBy("public_key"), openedBy("payment_link")]).toEqual([
    "Your server or the dashboard",
    "Web page, with your public key",
    "Payer, through a payment link",
  ]);
});
