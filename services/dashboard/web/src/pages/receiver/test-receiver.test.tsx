import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ME, showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { TestReceiver } from "./test-receiver.tsx";

const server = useServer();
const HOOK = "https://app.example/receiver/abc";
type Receiver = ReadResponse<"receiver">;
const received = (given: Partial<Receiver["received"][number]> = {}): Receiver["received"][number] => ({
  id: "1",
  received_at: "2026-11-25T09:00:00.000+00:00",
  webhook_id: "evt_1",
  headers: { "x-service-event": "collection.succeeded", "x-service-attempt": "2" },
  body: '{"event":"collection.succeeded"}',
  fault: null,
  answered: 200,
  seen_before: 0,
  ...given,
});
const WEBHOOK: ReadResponse<"webhook"> = {
  url: "https://shop.example/hook",
  has_secret: true,
  secret_ends: "1234",
  staged: false,
  activates_at: null,
  exposed_to: [],
  unconfirmed: null,
};

test("it is used in one press, which names the URL that it replaces", async () => {
  server.reads("receiver", { url: null, in_use: false, behavior: "ok", received: [] });
  server.reads("webhook", WEBHOOK);
  server.acts("receiver/use", { ...WEBHOOK, url: HOOK });
  const { user, address } = showPage(<TestReceiver />, { scope: { role: "developer" } });
  await screen.findByText("Test events go to https://shop.example/hook, which this replaces.");
  server.reads("receiver", { url: HOOK, in_use: true, behavior: "ok", received: [] });
  await user.click(screen.getByRole("button", { name: "Use the test receiver" }));
  await waitFor(() => expect(address()).toContain("/test/developers/verifier"));
});

test("what arrived is listed with its signature's result and repeats, and how it answers can be changed", async () => {
  const fault = "The signature does not match this body and secret.";
  const list = [
    received({ id: "3", fault, answered: 400, webhook_id: "evt_2" }),
    received({ id: "2", seen_before: 1 }),
  ];
  server.reads("receiver", { url: HOOK, in_use: true, behavior: "ok", received: [...list, received()] });
  server.acts("receiver/behavior", { url: HOOK, in_use: true, behavior: "timeout", received: [] });
  const { user } = showPage(<TestReceiver />, { scope: { role: "developer" } });
  const [first, second, third] = within(await screen.findByRole("list", { name: "Received webhooks" })).getAllByRole(
    "listitem",
  );
  expect(first?.textContent).toContain("Signature not valid");
  expect(first?.textContent).toContain(fault);
  expect(second?.textContent).toContain("evt_1 arrived once before");
  expect(third?.textContent).not.toContain("Seen before");
  expect(third?.textContent).toContain("x-service-attempt");
  await user.selectOptions(screen.getByLabelText("Respond to events with"), "timeout");
  await waitFor(() =>
    expect(server.fieldsOf(`POST m/${MERCHANT}/test/receiver/behavior`)).toEqual([{ behavior: "timeout" }]),
  );
});

test("live mode has none, and neither has an installation without one", async () => {
  showPage(<TestReceiver />, { scope: { mode: "live" } });
  showPage(<TestReceiver />, { rules: { ...ME.rules, test_receiver: false } });
  await waitFor(() => expect(screen.queryByText("Test receiver")).toBeNull());
  // Reads of test mode may be a former test's, which repeats them while it is shown.
  expect(server.fieldsOf(`GET m/${MERCHANT}/live/receiver`)).toEqual([]);
});
