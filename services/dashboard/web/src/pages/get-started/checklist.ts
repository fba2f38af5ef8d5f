import type { getVerification } from "@collect/contracts";
import { type ReplyOf, useRead } from "../../api/hooks.ts";

/** What a merchant has done in a mode, as the services know it. */
export type Checklist = {
  keys_made: boolean;
  api_called: boolean;
  account_made: boolean;
  webhook_set: boolean;
  money_received: boolean;
  webhook_delivered: boolean;
  verification: ReplyOf<typeof getVerification>["state"];
};

/** Live updates tell of money and webhooks; what is done by key from elsewhere is looked for every few seconds. */
export const useChecklist = () => useRead<Checklist>("checklist", {}, { refetchInterval: 4_000 });
