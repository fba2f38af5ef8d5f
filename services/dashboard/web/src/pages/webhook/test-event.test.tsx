import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { TestEvent } from "./test-event.tsx";

const server = useServer();
type Delivery = ReadResponse<"deliveries/:number">;
const AT = "2026-11-21T10:00:00.000+00:00";

function serve(attempts: Partial<Delivery["attempts"][number]>[], status: Delivery["delivery"]["status"] = "pending") {
  server.acts("webhook/test", { sequence: 12, delivery_number: 5 });
  server.reads("deliveries/:number", {
    delivery: {
      number: 5,
      sequence: 12,
      event: "webhook.test",
      reference: "test_1",
      url: "https://shop.example/hook",
      status,
      attempts: attempts.length,
      last_status: null,
      next_attempt_at: null,
      created_at: AT,
    },
    request: { headers: {}, body: "{}" },
    attempts: attempts.map((attempt) => ({
      attempt: 1,
      started_at: AT,
      duration_ms: 35,
      status: null,
      error: null,
      response: null,
      ...attempt,
    })),
  });
}

async function send() {
  const { user, unmount } = showPage(<TestEvent />);
  await user.click(screen.getByRole("button", { name: "Send test event" }));
  return unmount;
}

test("an acknowledged test event says so, with the answer, and leads to the event and the delivery", async () => {
  serve([{ status: 204 }], "delivered");
  await send();
  await screen.findByText("Your server acknowledged it");
  screen.getByText("204 after 35 ms, on attempt 1.");
  expect(screen.getByRole("link", { name: "Event 12" }).getAttribute("href")).toBe(
    `/m/${MERCHANT}/test/developers/events/12`,
  );
  screen.getByRole("link", { name: "Delivery 5" });
});

test.each([
  [{ status: 401, response: "bad signature" }, /its signature check failed/, "bad signature"],
  [{ error: "ECONNREFUSED: connect" }, /Nothing is listening/, /No response after 35 ms: ECONNREFUSED/],
])("a failed one says the likely cause beside the answer: %j", async (attempt, cause, answer) => {
  serve([attempt]);
  await send();
  await screen.findByText(cause);
  screen.getByText(answer);
});

test("before the first attempt it is being sent, and a refusal to send is shown", async () => {
  serve([]);
  const leave = await send();
  await screen.findByText("Sending…");
  leave();
  server.refuses("POST", `m/${MERCHANT}/test/webhook/test`, {
    status: 409,
    code: "no_webhook_url",
    detail: "Set a URL.",
  });
  await send();
  await screen.findByText("Set a URL.");
});
