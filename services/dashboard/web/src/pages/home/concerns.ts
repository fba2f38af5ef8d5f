import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";

/** Something that needs somebody: what it is, what it means for the money, and where to act. */
export type Concern = { what: string; meaning: string; action: string; path: string };

/** Who has just begun is led by Get started, and not told off for what comes later there. */
export function useConcerns({ isNew }: { isNew: boolean }): Concern[] {
  const { mode } = useScope();
  const health = useRead("webhook/health");
  const exceptions = useRead("exceptions");
  const verification = useRead("verification");
  return [
    ...(exceptions.data ? ofMoney(exceptions.data) : []),
    ...(health.data ? ofWebhook(health.data, isNew) : []),
    ...(verification.data ? ofVerification(verification.data, isNew && mode === "test") : []),
  ];
}

function ofMoney({ quarantined, unfinished }: ReadResponse<"exceptions">): Concern[] {
  const concerns: Concern[] = [];
  if (quarantined > 0)
    concerns.push({
      what: `${counted(quarantined, 100, "transfer is", "transfers are")} held apart.`,
      meaning: "The bank reported it twice, differently. We are asking the bank; it is credited once that is clear.",
      action: "See collections",
      path: "collections",
    });
  if (unfinished > 0)
    concerns.push({
      what: `${counted(unfinished, 100, "payment takes", "payments take")} longer than a minute.`,
      meaning: "The money has arrived and is safe; it will be in Collected soon.",
      action: "See collections",
      path: "collections",
    });
  return concerns;
}

function ofWebhook({ url, failing, exhausted }: ReadResponse<"webhook/health">, isNew: boolean): Concern[] {
  const concerns: Concern[] = [];
  if (!url && !isNew)
    concerns.push({
      what: "No webhook URL is set.",
      meaning: "Money is credited, but your server is not told. Events are kept and can be sent later.",
      action: "Set the webhook URL",
      path: "developers/webhook",
    });
  if (failing > 0)
    concerns.push({
      what: `Your server did not take ${counted(failing, 1_000, "event", "events")}.`,
      meaning: "We try again for 72 hours.",
      action: "See why",
      path: "developers/deliveries?status=failing",
    });
  if (exhausted > 0)
    concerns.push({
      what: `We gave up on ${counted(exhausted, 1_000, "event", "events")} after 72 hours.`,
      meaning: "The money is credited; your server was not told. They can be sent again.",
      action: "See and replay",
      path: "developers/deliveries?status=exhausted",
    });
  return concerns;
}

function ofVerification({ state, reason }: ReadResponse<"verification">, isNew: boolean): Concern[] {
  const path = "settings/verification";
  if (state === "returned")
    return [
      {
        what: "Your business verification came back.",
        meaning: reason ? `The reason: ${reason}` : "Something must be changed before we can approve it.",
        action: "Change and submit again",
        path,
      },
    ];
  if (state !== "draft" || isNew) return [];
  return [
    {
      what: "Your business is not verified.",
      meaning: "Test money works; live money waits for it.",
      action: "Verify the business",
      path,
    },
  ];
}

/** The services count to a limit only. */
const counted = (count: number, limit: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count >= limit ? `${limit.toLocaleString("en")} or more` : count} ${many}`;
