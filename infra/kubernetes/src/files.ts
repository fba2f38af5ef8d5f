import { join } from "node:path";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { App, Chart, Yaml } from "cdk8s";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import type { Deployment } from "./deployment.ts";
import { operators } from "./operators.ts";
import { service } from "./service.ts";
import { shared } from "./shared.ts";

/** All that is written out, by path from the root. */
export async function files(): Promise<Record<string, string>> {
  const written: Record<string, string> = { "infra/kubernetes/shared.yaml": yaml("shared", shared) };
  for (const name of SERVICES) {
    const deployment = await deploymentOf(name);
    written[`services/${name}/deploy/kubernetes.yaml`] = yaml(name, (scope) => service(scope, name, deployment));
    if (name !== "dashboard") continue;
    written["services/dashboard/deploy/operators.yaml"] = yaml("operators", (scope) => operators(scope, deployment));
  }
  return written;
}

/** By path, because a service is no dependency of the package that deploys it. */
export async function deploymentOf(name: ServiceName): Promise<Deployment> {
  const { deployment } = await import(join(import.meta.dirname, "../../../services", name, "deploy/deployment.ts"));
  return deployment;
}

function yaml(name: string, fill: (scope: Construct) => void): string {
  const chart = new Chart(new App(), name, { namespace: CLUSTER.namespace, disableResourceNameHashes: true });
  fill(chart);
  return `# Written by npm run document from the code in infra/kubernetes: change that.\n${Yaml.stringify(...chart.toJson())}`;
}
