import { http, type Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [...http("gateway")];
