import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "../../../test/page.tsx";
import { MERCHANT, useServer } from "../../../test/server.ts";
import type { ReadResponse } from "../../api/calls.ts";
import { WebhookPage } from "./webhook-page.tsx";

const server = useServer();
const HEALTH = {
  url: null,
  unconfirmed_url: null,
  failing: 0,
  exhausted: 0,
  oldest_failing_at: null,
  last_delivered_at: null,
  ever_delivered: false,
};
const webhook = (given: Partial<ReadResponse<"webhook">> = {}): ReadResponse<"webhook"> => ({
  url: null,
  has_secret: true,
  secret_ends: "1234",
  staged: false,
  activates_at: null,
  exposed_to: [],
  unconfirmed: {
    url: "https://new.example/hook",
    challenged_at: "2026-11-22T09:00:00.000+00:00",
    error: "the response was 404",
  },
  ...given,
});

test("a URL that has not answered its challenge is shown with the reason, how to answer, and another try", async () => {
  server.reads("webhook", webhook());
  server.reads("webhook/health", HEALTH);
  server.acts("webhook/challenge", webhook({ url: "https://new.example/hook", unconfirmed: null }));
  const { user } = showPage(<WebhookPage />, { scope: { role: "developer" } });
  await screen.findByText("This URL hasn't answered its challenge yet");
  screen.getByText(/the response was 404\. Until your server answers, events are recorded and can be sent later/);
  screen.getByText(/data\.challenge/);
  expect(screen.queryByRole("button", { name: "Send test event" })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Webhook URL" }).value).toBe("https://new.example/hook");
  await user.click(screen.getByRole("button", { name: "Send challenge again" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/webhook/challenge`)).toHaveLength(1));
});

test("before a URL is set the secret can be created, for the server to check its first challenge", async () => {
  const before = webhook({ has_secret: false, secret_ends: null, unconfirmed: null });
  server.reads("webhook", before);
  server.reads("webhook/health", HEALTH);
  server.acts("webhook/reveal", { secret: "whsec_abc1234", staged_secret: null });
  const { user } = showPage(<WebhookPage />, { scope: { role: "developer" } });
  await screen.findByText(/the first message it gets is a challenge/);
  expect(screen.queryByRole("button", { name: "Stage new secret" })).toBeNull();
  server.reads("webhook", { ...before, has_secret: true, secret_ends: "1234" });
  await user.click(screen.getByRole("button", { name: "Create signing secret" }));
  await screen.findByText("whsec_abc1234");
  await screen.findByRole("button", { name: "Stage new secret" });
});

test("a viewer sees it without the button, and whoever has a present URL reads where events go", async () => {
  server.reads("webhook", webhook({ url: "https://old.example/hook" }));
  server.reads("webhook/health", { ...HEALTH, url: "https://old.example/hook" });
  showPage(<WebhookPage />, { scope: { role: "viewer" } });
  await screen.findByText(/events go to the previous URL/);
  expect(screen.queryByRole("button", { name: "Send challenge again" })).toBeNull();
});
