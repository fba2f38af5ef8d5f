import { Text } from "@mantine/core";
import type { Checklist } from "./checklist.ts";
import { FirstWebhook } from "./first-webhook.tsx";
import { callTo, GoTo, PROBE_OWN_SERVER, type Step } from "./step.tsx";
import { verificationStep } from "./verification-step.tsx";

/** From a verified business to the first live payment. */
export function liveSteps(checklist: Checklist, api: string): Step[] {
  const call = callTo("live", api);
  const isVerified = checklist.verification === "approved";
  return [
    { ...verificationStep(checklist), title: "Verify your business" },
    {
      id: "keys",
      title: "Create your live keys",
      isDone: checklist.keys_made,
      why: "The secret key can move real money. Store it only with your server's secrets.",
      action: isVerified ? (
        <GoTo path="developers/keys">{checklist.keys_made ? "View keys" : "Create live keys"}</GoTo>
      ) : (
        <Text size="sm">You can create them once your business is verified.</Text>
      ),
      command: { lead: "Try it from your server:", text: call.readBalance },
    },
    {
      id: "webhook",
      title: "Set the live webhook URL",
      isDone: checklist.webhook_set,
      why: "Live mode has its own URL and signing secret.",
      action: <GoTo path="developers/webhook">{checklist.webhook_set ? "View webhook" : "Set webhook URL"}</GoTo>,
      command: PROBE_OWN_SERVER,
    },
    {
      id: "received",
      title: "Test your live webhook",
      isDone: checklist.webhook_delivered,
      why: "A test event moves no money and confirms that your live URL and secret work.",
      action: <FirstWebhook isUrlSet={checklist.webhook_set} />,
    },
    {
      id: "account",
      title: "Issue your first account",
      isDone: checklist.account_made,
      why: "Your server does this when a customer signs up. The bank responds within seconds.",
      action: <GoTo path="customers">Customers</GoTo>,
      command: { lead: "The request is the same as in test mode:", text: call.issueAccount },
    },
    {
      id: "money",
      title: "Receive your first payment",
      isDone: checklist.money_received,
      why: "Any transfer from any Nigerian bank to a customer's account. It appears here within seconds.",
      action: <GoTo path="collections">Collections</GoTo>,
    },
  ];
}
