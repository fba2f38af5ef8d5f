import {
  activateSigningSecret,
  cancelSigningSecret,
  getWebhookHealth,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  setWebhookEndpoint,
  stageSigningSecret,
} from "@collect/contracts";
import { z } from "zod";
import { withoutQuery } from "../domain/audit-detail.ts";
import { ReceiverBehavior, TestReceiver, Webhook, WebhookSecrets } from "./answers.ts";
import { act, announced, composedAct, composedRead, type Declaration, read } from "./declaration.ts";

const NONE = z.object({});
const changed = (what: string) => announced("webhook_changed", what, "developer");

export const WEBHOOK_READS = {
  webhook: composedRead(NONE, Webhook),
  "webhook/health": read(getWebhookHealth),
  receiver: composedRead(NONE, TestReceiver),
} satisfies Record<string, Declaration>;

/** The acts on a merchant's webhook, among those of a merchant. */
export const WEBHOOK_ACTS = {
  webhook: composedAct("webhooks", {
    input: setWebhookEndpoint.input.omit({ merchant: true }),
    output: Webhook,
    recentlyAuthenticated: true,
    audit: { action: "webhook.set", detail: ({ url }) => ({ url: withoutQuery(url) }) },
    announces: {
      ...changed("New URL"),
      detail: ({ url }) => (url === null ? { what: "URL removed" } : { what: "New URL", url: withoutQuery(url) }),
    },
  }),
  "receiver/use": composedAct("webhooks", {
    input: NONE,
    output: Webhook,
    recentlyAuthenticated: true,
    audit: { action: "webhook.set", detail: () => ({ url: "test receiver" }) },
  }),
  "receiver/behavior": composedAct("webhooks", {
    input: z.object({ behavior: ReceiverBehavior }),
    output: TestReceiver,
  }),
  "webhook/challenge": composedAct("webhooks", {
    input: NONE,
    output: Webhook,
    audit: { action: "webhook.challenged" },
  }),
  "webhook/pause": act("webhooks", pauseWebhookEndpoint, {
    audit: { action: "webhook.paused" },
    announces: changed("Deliveries were paused"),
  }),
  "webhook/resume": act("webhooks", resumeWebhookEndpoint, { audit: { action: "webhook.resumed" } }),
  "webhook/reveal": composedAct("webhooks", {
    input: NONE,
    output: WebhookSecrets,
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_revealed" },
    announces: changed("The signing secret was shown"),
  }),
  "webhook/rotation/stage": composedAct("webhooks", {
    input: NONE,
    output: stageSigningSecret.output,
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_staged" },
    announces: changed("A new signing secret was made"),
  }),
  "webhook/rotation/activate": act("webhooks", activateSigningSecret, {
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_activated" },
    announces: changed("The new signing secret is in use"),
  }),
  "webhook/rotation/cancel": act("webhooks", cancelSigningSecret, {
    recentlyAuthenticated: true,
    audit: { action: "webhook.secret_cancelled" },
    announces: changed("The new signing secret was discarded"),
  }),
} satisfies Record<string, Declaration>;
