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
  hold: null,
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
  await screen.findByText(/the first request is a challenge/);
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

const URL_SET = webhook({ url: "https://shop.example/hook", unconfirmed: null });
const HOLD = { since: "2026-11-22T09:00:00.000+00:00", waiting: 50_000, next_attempt_at: null, seconds_left: null };

test("a held endpoint says how many events wait and when it is tried again, and a developer can try it now", async () => {
  server.reads("webhook", URL_SET);
  const next_attempt_at = new Date(Date.now() + 7_200_500).toISOString();
  server.reads("webhook/health", {
    ...HEALTH,
    url: URL_SET.url,
    failing: 1,
    hold: { ...HOLD, state: "held", next_attempt_at },
  });
  server.acts("webhook/resume", { hold: null });
  const { user } = showPage(<WebhookPage />, { scope: { role: "developer" } });
  await screen.findByText("Your server is failing: events are held");
  screen.getByText(/50,000 events wait\./);
  screen.getByText("in 2 hours");
  await user.click(screen.getByRole("button", { name: "Try now" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/webhook/resume`)).toHaveLength(1));
});

test("a release says how long it will take, and nothing that it cannot know", async () => {
  server.reads("webhook", URL_SET);
  const releasing = { ...HOLD, state: "releasing" as const };
  server.reads("webhook/health", { ...HEALTH, url: URL_SET.url, hold: { ...releasing, seconds_left: 95 } });
  const { unmount } = showPage(<WebhookPage />, { scope: { role: "viewer" } });
  await screen.findByText(/sent in order: about 95 seconds left\./);
  unmount();
  server.reads("webhook/health", { ...HEALTH, url: URL_SET.url, hold: releasing });
  showPage(<WebhookPage />, { scope: { role: "viewer" } });
  await screen.findByText(/They are being sent in order\./);
});

test("an endpoint paused after a restore says what may be lost, and is resumed by a person who has looked", async () => {
  server.reads("webhook", URL_SET);
  const lost_change_at = new Date(Date.now() - 3_600_500).toISOString();
  server.reads("webhook/health", { ...HEALTH, url: URL_SET.url, hold: { ...HOLD, state: "paused", lost_change_at } });
  server.acts("webhook/resume", { hold: null });
  const { user } = showPage(<WebhookPage />, { scope: { role: "developer" } });
  await screen.findByText("Check your URL and signing secret: deliveries are paused");
  screen.getByText(/the URL or the signing secret may be an earlier one\. 50,000 events wait\./);
  screen.getByText("1 hour ago");
  expect(screen.queryByText(/They were paused/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Resume deliveries" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/webhook/resume`)).toHaveLength(1));
});

test("deliveries are paused and resumed by those who may, and a viewer only reads it", async () => {
  server.reads("webhook", URL_SET);
  server.reads("webhook/health", { ...HEALTH, url: URL_SET.url });
  server.acts("webhook/pause", { hold: { ...HOLD, state: "paused" } });
  server.acts("webhook/resume", { hold: null });
  const { user, unmount } = showPage(<WebhookPage />, { scope: { role: "developer" } });
  const button = await screen.findByRole("button", { name: "Pause deliveries" });
  server.reads("webhook/health", { ...HEALTH, url: URL_SET.url, hold: { ...HOLD, state: "paused" } });
  await user.click(button);
  await screen.findByText("Deliveries are paused");
  expect(screen.queryByText(/All events delivered/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Resume deliveries" }));
  await waitFor(() => expect(server.fieldsOf(`POST m/${MERCHANT}/:mode/webhook/resume`)).toHaveLength(1));
  unmount();
  showPage(<WebhookPage />, { scope: { role: "viewer" } });
  await screen.findByText("Deliveries are paused");
  expect(screen.queryByRole("button", { name: "Resume deliveries" })).toBeNull();
});
