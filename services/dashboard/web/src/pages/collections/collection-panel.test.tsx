import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aCollection, anEvent, aSession } from "../../../test/examples.ts";
import { showPage } from "../../../test/page.tsx";
import { useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { SessionPanel } from "../sessions/session-panel.tsx";
import { CollectionPanel } from "./collection-panel.tsx";
import { CollectionsPage } from "./collections-page.tsx";

/** What a team sees of a payment that the bank took back. */

type Timeline = ReadResponse<"collections/:reference/timeline">;
const AT = "2026-11-22T09:30:00.000+00:00";
const server = useServer();
const HEALTH = {
  ...{ url: "https://shop.example/hook", unconfirmed_url: null, failing: 0, exhausted: 0 },
  ...{ oldest_failing_at: null, last_delivered_at: null, ever_delivered: true },
};

function open(
  given: Parameters<typeof aCollection>[0],
  reversals?: Timeline["reversals"],
  events: Timeline["events"] = [],
) {
  const collection = { ...aCollection(given), metadata: {} };
  const elsewhere = { attached_by: null, received: null, ledger: null, events };
  const timeline = { collection, intake_id: "int_1", posted_at: AT, ...elsewhere, ...(reversals && { reversals }) };
  server.reads("collections/:reference/timeline", timeline);
  return showPage(<CollectionPanel />, { at: "collections/col_1", path: "collections/:reference" });
}
const reversal = (amount: number, sequence: number | null) => ({
  ...{ reference: "rev_1", amount, fee: 10, net: amount - 10, reversed_at: AT, posted_at: AT, sequence },
});

test("each part that the bank took back says what it did to the balance, and leads to its event once it has one", async () => {
  open({ amount_reversed: 1_500 }, [reversal(1_000, 7), reversal(500, null)]);
  await screen.findByText("Partly reversed");
  await screen.findByText("The bank took back ₦1,500.00 of this payment");
  const first = screen.getByRole("link", { name: "₦1,000.00 taken back by the bank" });
  expect(first.getAttribute("href")).toMatch(/\/developers\/events\/7$/);
  await screen.findByText("₦990.00 left your balance, and ₦10.00 of our fee was returned.");
  await screen.findByText("₦500.00 taken back by the bank");
  expect(screen.queryByRole("link", { name: "₦500.00 taken back by the bank" })).toBeNull();
});

test("while the webhook is paused, the event of a collection is held, and not being sent", async () => {
  const hold = { state: "paused", since: AT, waiting: 1, next_attempt_at: null, seconds_left: null } as const;
  server.reads("webhook/health", { ...HEALTH, hold });
  open({}, undefined, [anEvent()]);
  await screen.findByText("Held");
  screen.getByText(/sent in order once deliveries resume/);
  expect(screen.queryByText("Sending to your server")).toBeNull();
});

const unmatched = { customer_reference: null, customer_name: null };

test("what was taken back cannot be attached", async () => {
  open({ ...unmatched, amount_reversed: 2500.73 }, [reversal(2500.73, 7)]);
  await screen.findByText("The bank took back this payment");
  await screen.findByText("Reversed");
  expect(screen.queryByRole("button", { name: "Attach…" })).toBeNull();
});

test("what was not taken back says nothing of it", async () => {
  open(unmatched);
  await screen.findByText("Received");
  await screen.findByRole("button", { name: "Attach…" });
  expect(screen.queryByText(/took back|taken back/)).toBeNull();
});

test("the list marks what was taken back, and only that", async () => {
  const data = [aCollection({ reference: "col_2", amount_reversed: 1 }), aCollection()];
  server.reads("collections", { data, next: null });
  server.reads("collections/totals", { totals: { count: 2, amount: 5001.46, fee: 50.02, net: 4951.44 } });
  showPage(<CollectionsPage />);
  await screen.findByText("Partly reversed");
  expect(screen.queryByText("Received")).toBeNull();
});

test("the session that it paid says how much of which collection is gone, and keeps its status", async () => {
  const gone = { reference: "col_1", amount: 2500.07, fee: 25, net: 2475.07, paid_at: AT, amount_reversed: 2500.07 };
  const amounts = { amount_received: 2500.07, amount_reversed: 2500.07 };
  server.reads("sessions/:reference", aSession({ status: "paid", paid_at: AT, ...amounts, collections: [gone] }));
  showPage(<SessionPanel />, { at: "sessions/pay_1", path: "sessions/:reference" });
  await screen.findByText(/The money arrived, and then the bank took it back/);
  await screen.findByText(/\. The bank took back/);
  expect(screen.getAllByText("Paid").length).toBeGreaterThan(0);
});
