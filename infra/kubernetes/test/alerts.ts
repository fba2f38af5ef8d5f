import { SERVICES } from "@collect/contracts";
import { parse } from "yaml";
import { z } from "zod";
import { kept } from "./manifests.ts";

const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })) });
export const RULE_FILES = ["infra/kubernetes", ...SERVICES.map((name) => `services/${name}/deploy`)].map(
  (folder) => `${folder}/alerts.yaml`,
);
/** All of them. */
export const alerts = RULE_FILES.flatMap((path) => Rules.parse(parse(kept(path))).groups.flatMap(({ rules }) => rules));
