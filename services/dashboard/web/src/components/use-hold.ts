import { useRead } from "../api/hooks.ts";
import { type Events, type Hold, mayBeHeld } from "./webhook-steps.ts";

/** The hold of the webhook, read if one of the events may be held. */
export const useHold = (events: Events | null): Hold =>
  useRead("webhook/health", {}, { enabled: events?.some(mayBeHeld) ?? false }).data?.hold ?? null;
