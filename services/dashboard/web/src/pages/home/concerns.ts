import type { Mode } from "@collect/contracts";
import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";

type Exceptions = ReadResponse<"exceptions">;
type Health = Pick<ReadResponse<"webhook/health">, "url" | "failing" | "exhausted">;
type Verification = Pick<ReadResponse<"verification">, "state" | "reason">;

/** Something that needs a person: what it is, what it means for the money, and where to act. */
export type Concern = { what: string; meaning: string; action: string; path: string };

/** A merchant that has just begun is led by Get started, and not told off for what comes later there. */
export function useConcerns({ isNew }: { isNew: boolean }): Concern[] {
  const { mode } = useScope();
  const exceptions = useRead("exceptions").data;
  const health = useRead("webhook/health").data;
  const verification = useRead("verification").data;
  return concernsOf({ exceptions, health, verification, isNew, mode });
}

/** What is not known yet is no concern yet. */
export function concernsOf(known: {
  exceptions?: Exceptions | undefined;
  health?: Health | undefined;
  verification?: Verification | undefined;
  isNew: boolean;
  mode: Mode;
}): Concern[] {
  const { exceptions, health, verification, isNew, mode } = known;
  return [
    ...(exceptions ? ofMoney(exceptions) : []),
    ...(health ? ofWebhook(health, isNew) : []),
    ...(verification ? ofVerification(verification, isNew && mode === "test") : []),
  ];
}

function ofMoney({ quarantined, unfinished }: Exceptions): Concern[] {
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

function ofWebhook({ url, failing, exhausted }: Health, isNew: boolean): Concern[] {
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

function ofVerification({ state, reason }: Verification, isNew: boolean): Concern[] {
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
