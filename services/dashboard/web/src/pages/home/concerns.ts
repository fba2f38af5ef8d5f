import type { Mode } from "@collect/contracts";
import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { useScope } from "../../api/scope.ts";

type Exceptions = ReadResponse<"exceptions">;
type Health = Pick<ReadResponse<"webhook/health">, "url" | "failing" | "exhausted">;
type Verification = Pick<ReadResponse<"verification">, "state" | "reason">;

/** An alert that needs action: what it is, its consequence for the money, and where to act. */
export type Concern = { what: string; meaning: string; action: string; path: string };

/** A new merchant is guided by Get started, and not warned about steps that come later there. */
export function useConcerns({ isNew }: { isNew: boolean }): Concern[] {
  const { mode } = useScope();
  const exceptions = useRead("exceptions").data;
  const health = useRead("webhook/health").data;
  const verification = useRead("verification").data;
  return concernsOf({ exceptions, health, verification, isNew, mode });
}

/** Data that has not loaded raises no concern. */
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
      what: `${counted(quarantined, 100, "incoming transfer", "incoming transfers")} on hold.`,
      meaning:
        "The bank sent conflicting reports for the same transfer. We're checking with the bank and will credit it once that is resolved.",
      action: "View collections",
      path: "collections",
    });
  if (unfinished > 0)
    concerns.push({
      what: `${counted(unfinished, 100, "payment", "payments")} delayed by more than a minute.`,
      meaning: "The money has arrived and is safe. It will be credited to your collected balance soon.",
      action: "View collections",
      path: "collections",
    });
  return concerns;
}

function ofWebhook({ url, failing, exhausted }: Health, isNew: boolean): Concern[] {
  const concerns: Concern[] = [];
  if (!url && !isNew)
    concerns.push({
      what: "No webhook URL is set.",
      meaning: "Payments are credited, but your server isn't notified. Events are stored and can be sent later.",
      action: "Set webhook URL",
      path: "developers/webhook",
    });
  if (failing > 0)
    concerns.push({
      what: `Your server did not accept ${counted(failing, 1_000, "event", "events")}.`,
      meaning: "We retry for 72 hours.",
      action: "View details",
      path: "developers/deliveries?status=failing",
    });
  if (exhausted > 0)
    concerns.push({
      what: `We gave up on ${counted(exhausted, 1_000, "event", "events")} after 72 hours.`,
      meaning: "The payments are credited, but your server was not notified. You can resend the events.",
      action: "View and replay",
      path: "developers/deliveries?status=exhausted",
    });
  return concerns;
}

function ofVerification({ state, reason }: Verification, isNew: boolean): Concern[] {
  const path = "settings/verification";
  if (state === "returned")
    return [
      {
        what: "Your business verification needs changes.",
        meaning: reason ? `Reason: ${reason}` : "Something needs to change before we can approve it.",
        action: "Edit and resubmit",
        path,
      },
    ];
  if (state !== "draft" || isNew) return [];
  return [
    {
      what: "Your business is not verified.",
      meaning: "Test mode works now. Verify your business to accept live payments.",
      action: "Verify business",
      path,
    },
  ];
}

/** The services count up to a limit only. */
const counted = (count: number, limit: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count >= limit ? `${limit.toLocaleString("en")} or more` : count} ${many}`;
