import type { Checklist } from "./checklist.ts";
import { FirstWebhook } from "./first-webhook.tsx";
import { IssueAccount } from "./issue-account.tsx";
import { SimulateMoney } from "./simulate-money.tsx";
import { callTo, GoTo, PROBE_OWN_SERVER, type Step } from "./step.tsx";
import { verificationStep } from "./verification-step.tsx";

/** The way of an integrator, in the order in which things are needed. */
export function testSteps(checklist: Checklist, api: string): Step[] {
  const call = callTo("test", api);
  return [
    {
      id: "keys",
      title: "Make your test keys",
      isDone: checklist.keys_made,
      why: "The secret key is for your server. It is made when you open the page, and shown that once.",
      action: <GoTo path="developers/keys">{checklist.keys_made ? "See the keys" : "Make the test keys"}</GoTo>,
      command: { lead: "Then try it from your server:", text: call.readBalance },
    },
    {
      id: "account",
      title: "Issue an account to a customer",
      isDone: checklist.account_made,
      why: "Each customer gets one bank account number for good, in their own name. Money in it is from them: nothing has to be matched by amount.",
      action: <IssueAccount />,
      command: { lead: "From your server it is one call:", text: call.issueAccount },
    },
    {
      id: "money",
      title: "Let money arrive",
      isDone: checklist.money_received,
      why: "Test money takes the path of real money: credited in the ledger, less our fee, then sent to your server as an event.",
      action: <SimulateMoney />,
      command: { lead: "The same from your server:", text: call.simulate(2500) },
    },
    {
      id: "webhook",
      title: "Set your webhook URL",
      isDone: checklist.webhook_set,
      why: "The address of your server to which we post a signed event for everything that happens.",
      action: (
        <GoTo path="developers/webhook">{checklist.webhook_set ? "See the webhook" : "Set the webhook URL"}</GoTo>
      ),
      command: PROBE_OWN_SERVER,
    },
    {
      id: "received",
      title: "Receive the first webhook",
      isDone: checklist.webhook_delivered,
      why: "Done as soon as your server has answered one event with 2xx. Then whatever happens to your money reaches you.",
      action: <FirstWebhook isUrlSet={checklist.webhook_set} />,
      command: { lead: "Or let money arrive once more, and watch your server:", text: call.simulate(1000) },
    },
    verificationStep(checklist),
  ];
}
