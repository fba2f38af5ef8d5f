import { Text } from "@mantine/core";
import type { Checklist } from "./checklist.ts";
import { FirstWebhook } from "./first-webhook.tsx";
import { callTo, GoTo, PROBE_OWN_SERVER, type Step } from "./step.tsx";
import { verificationStep } from "./verification-step.tsx";

/** From a verified business to the first real money. */
export function liveSteps(checklist: Checklist, api: string): Step[] {
  const call = callTo("live", api);
  const isVerified = checklist.verification === "approved";
  return [
    { ...verificationStep(checklist), title: "Have your business verified" },
    {
      id: "keys",
      title: "Make your live keys",
      isDone: checklist.keys_made,
      why: "The secret key moves real money: keep it where your server keeps its secrets, and nowhere else.",
      action: isVerified ? (
        <GoTo path="developers/keys">{checklist.keys_made ? "See the keys" : "Make the live keys"}</GoTo>
      ) : (
        <Text size="sm">They can be made once your business is verified.</Text>
      ),
      command: { lead: "Then try it from your server:", text: call.readBalance },
    },
    {
      id: "webhook",
      title: "Set the live webhook URL",
      isDone: checklist.webhook_set,
      why: "Live mode has its own address and its own signing secret.",
      action: (
        <GoTo path="developers/webhook">{checklist.webhook_set ? "See the webhook" : "Set the webhook URL"}</GoTo>
      ),
      command: PROBE_OWN_SERVER,
    },
    {
      id: "received",
      title: "See that your server takes events",
      isDone: checklist.webhook_delivered,
      why: "A test event moves no money and shows that the live address and secret are right.",
      action: <FirstWebhook isUrlSet={checklist.webhook_set} />,
    },
    {
      id: "account",
      title: "Issue the first customer's account",
      isDone: checklist.account_made,
      why: "Your server does it when a customer signs up with you. The bank answers within seconds.",
      action: <GoTo path="customers">Customers</GoTo>,
      command: { lead: "The call, as in test mode:", text: call.issueAccount },
    },
    {
      id: "money",
      title: "Receive the first money",
      isDone: checklist.money_received,
      why: "Any transfer to a customer's account, from any Nigerian bank. It shows here within seconds.",
      action: <GoTo path="collections">Collections</GoTo>,
    },
  ];
}
