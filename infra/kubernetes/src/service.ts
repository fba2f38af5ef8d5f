import type { ServiceName } from "@collect/contracts";
import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import { authorityOf, connection, database, passwordOf } from "./database.ts";
import type { Deployment } from "./deployment.ts";
import { jobPolicy, processPolicy } from "./network.ts";
import { BROKER_AUTHORITY, job, type Process, pathOf, type SecretFile } from "./pod.ts";
import { workload } from "./workload.ts";

/** Everything of one service: its processes, the job that migrates its database, and the database. */
export function service(scope: Construct, name: ServiceName, deployment: Deployment): void {
  const process = processOf(name, deployment);
  workload(scope, process, deployment);
  processPolicy(scope, name, { httpPort: deployment.http?.port, hasDatabase: true, calls: deployment.calls ?? [] });
  new k8s.KubeJob(scope, "migrate", job(migrationOf(name, deployment), deployment.release));
  jobPolicy(scope, `${name}-migrate`, { databaseOf: name });
  database(scope, name, deployment.database);
}

function processOf(name: ServiceName, deployment: Deployment): Process {
  const { http, secrets, settings, resources, numberedBy, database } = deployment;
  const [login] = database.logins;
  return {
    name,
    image: imageOf(name, deployment.release),
    settings: {
      ...connection(name, `collect_${name}_${login}`),
      ...broker(),
      ...(http && { HOST: "0.0.0.0", [http.setting]: String(http.port), TRUSTED_PROXIES: CLUSTER.ingress.proxies }),
      ...settings,
    },
    secrets: [passwordOf(name, login), ...secretsOf(name, ["NATS_NKEY_SEED", ...secrets])],
    files: [authorityOf(name), BROKER_AUTHORITY],
    resources,
    ...(numberedBy && { numberedBy }),
  };
}

/** With the image of the process, so that migrations and code are of one release; as the owner of this database, and no other. */
function migrationOf(name: ServiceName, { release }: Deployment): Process {
  return {
    name: `${name}-migrate`,
    image: imageOf(name, release),
    command: ["node", "/app/packages/database/src/migrate-job.ts"],
    settings: connection(name, `collect_${name}_owner`),
    secrets: [passwordOf(name, "owner")],
    files: [authorityOf(name)],
    resources: MIGRATION,
  };
}

export const imageOf = (name: string, release: string): string => `${CLUSTER.registry}/${name}:${release}`;

/** How every process reaches the broker: three servers, each of which stores every message. */
export const broker = () => ({ NATS_URL: "tls://nats:4222", NATS_CA: pathOf(BROKER_AUTHORITY), NATS_REPLICAS: "3" });

export const secretsOf = (secret: string, keys: readonly string[]): SecretFile[] =>
  keys.map((key) => ({ secret, key, name: key }));

const MIGRATION = { cpu: "100m", cpuMax: "1", memory: "256Mi" };
