import { consumers, type Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [...consumers("payments")];
