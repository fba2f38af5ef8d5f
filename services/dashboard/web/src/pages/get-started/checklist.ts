import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";

/** The completed steps of a merchant in a mode, as the services report them. */
export type Checklist = ReadResponse<"checklist">;

/** Live updates cover money and webhooks; steps completed through the API are polled every few seconds. */
export const useChecklist = () => useRead("checklist", {}, { refetchInterval: 4_000 });
