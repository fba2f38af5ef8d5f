import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { App, Chart, Yaml } from "cdk8s";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import { dashboard, type Panel } from "./dashboard.ts";
import type { Deployment } from "./deployment.ts";
import { alerts, shown } from "./monitoring.ts";
import { operators } from "./operators.ts";
import { service } from "./service.ts";
import { shared } from "./shared.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** All that is written out, by path from the root. */
export async function files(): Promise<Record<string, string>> {
  const common = read("infra/kubernetes/alerts.yaml");
  const written = { "infra/kubernetes/shared.yaml": yaml("shared", (scope) => shared(scope, common)) };
  const services = await Promise.all(SERVICES.map(filesOf));
  return Object.assign(written, ...services);
}

/** Those of one service, from the files in its folder. */
async function filesOf(name: ServiceName): Promise<Record<string, string>> {
  const folder = `services/${name}/deploy`;
  // By path, because a service is no dependency of the package that deploys it.
  const { deployment }: { deployment: Deployment } = await import(join(ROOT, folder, "deployment.ts"));
  const { panels }: { panels: Panel[] } = await import(join(ROOT, folder, "panels.ts"));
  const json = dashboard(name, panels);
  const kubernetes = yaml(name, (scope) => {
    service(scope, name, deployment);
    alerts(scope, name, read(`${folder}/alerts.yaml`));
    shown(scope, name, json);
  });
  return {
    [`${folder}/kubernetes.yaml`]: kubernetes,
    [`${folder}/dashboard.json`]: json,
    ...(name === "dashboard" && {
      [`${folder}/operators.yaml`]: yaml("operators", (scope) => operators(scope, deployment)),
    }),
  };
}

function yaml(name: string, fill: (scope: Construct) => void): string {
  const chart = new Chart(new App(), name, { namespace: CLUSTER.namespace, disableResourceNameHashes: true });
  fill(chart);
  return `# Written by npm run document from the code in infra/kubernetes: change that.\n${Yaml.stringify(...chart.toJson())}`;
}

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
