import type { Checklist } from "./checklist.ts";
import { FirstWebhook } from "./first-webhook.tsx";
import { IssueAccount } from "./issue-account.tsx";
import { SimulateMoney } from "./simulate-money.tsx";
import { callTo, GoTo, PROBE_OWN_SERVER, type Step } from "./step.tsx";
import { verificationStep } from "./verification-step.tsx";

/** The steps of an integration, in order. */
export function testSteps(checklist: Checklist, api: string): Step[] {
  const call = callTo("test", api);
  return [
    {
      id: "keys",
      title: "Create your test keys",
      isDone: checklist.keys_made,
      why: "The secret key is for your server. It is created when you open the page, where you can show it again. A live key is shown only once.",
      action: <GoTo path="developers/keys">{checklist.keys_made ? "View keys" : "Create test keys"}</GoTo>,
      command: { lead: "Try it from your server:", text: call.readBalance },
    },
    {
      id: "account",
      title: "Issue an account to a customer",
      isDone: checklist.account_made,
      why: "Each customer gets one permanent bank account number in their name. Every payment to it comes from them, so you never match by amount.",
      action: <IssueAccount />,
      command: { lead: "From your server, it's one request:", text: call.issueAccount },
    },
    {
      id: "money",
      title: "Simulate a payment",
      isDone: checklist.money_received,
      why: "Test payments follow the same path as real ones: credited in the ledger minus our fee, then sent to your server as an event.",
      action: <SimulateMoney />,
      command: { lead: "Or from your server:", text: call.simulate(2500) },
    },
    {
      id: "webhook",
      title: "Set your webhook URL",
      isDone: checklist.webhook_set,
      why: "The URL on your server that receives a signed event for every collection and transfer.",
      action: <GoTo path="developers/webhook">{checklist.webhook_set ? "View webhook" : "Set webhook URL"}</GoTo>,
      command: PROBE_OWN_SERVER,
    },
    {
      id: "received",
      title: "Receive your first webhook",
      isDone: checklist.webhook_delivered,
      why: "Done once your server responds to an event with 2xx.",
      action: <FirstWebhook isUrlSet={checklist.webhook_set} />,
      command: { lead: "Or simulate another payment and watch your server:", text: call.simulate(1000) },
    },
    verificationStep(checklist),
  ];
}
