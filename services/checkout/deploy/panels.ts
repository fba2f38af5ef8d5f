import { consumers, http, type Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [...http("checkout"), ...consumers("checkout")];
