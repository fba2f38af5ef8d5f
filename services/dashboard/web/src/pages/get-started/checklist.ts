import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";

/** What a merchant has done in a mode, as the services know it. */
export type Checklist = ReadResponse<"checklist">;

/** Live updates tell of money and webhooks; what is done by key from elsewhere is looked for every few seconds. */
export const useChecklist = () => useRead("checklist", {}, { refetchInterval: 4_000 });
