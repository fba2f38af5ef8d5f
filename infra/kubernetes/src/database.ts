import type { ICluster } from "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster";
import type { IScheduledBackup } from "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup";
import { ApiObject } from "cdk8s";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import type { Database } from "./deployment.ts";
import { databaseMetrics } from "./monitoring.ts";
import { databasePolicy } from "./network.ts";
import type { SecretFile } from "./pod.ts";

/** Of one database. Each login may have all but those of the migrate job and the operator. */
const CONNECTIONS = { server: 200, login: 180 };
const PLUGIN = "barman-cloud.cloudnative-pg.io";

/** A service's PostgreSQL: its instances, roles and backups. */
export function database(scope: Construct, service: string, settings: Database): void {
  const name = `${service}-db`;
  const store = { barmanObjectName: name, serverName: settings.archive ?? name };
  object(scope, "store", {
    apiVersion: "barmancloud.cnpg.io/v1",
    kind: "ObjectStore",
    metadata: { name },
    spec: storeOf(),
  });
  const spec: NonNullable<ICluster["spec"]> = {
    instances: settings.instances,
    imageCatalogRef: {
      apiGroup: "postgresql.cnpg.io",
      kind: "ClusterImageCatalog",
      name: "postgresql-standard-trixie",
      major: 18,
    },
    storage: { size: settings.storage },
    resources: {
      requests: { cpu: settings.cpu, memory: settings.memory },
      limits: { memory: settings.memory },
    },
    affinity: { enablePodAntiAffinity: true, podAntiAffinityType: "required", topologyKey: "kubernetes.io/hostname" },
    enableSuperuserAccess: false,
    bootstrap: { initdb: initialize(service) },
    managed: { roles: rolesOf(service, settings) },
    postgresql: postgresql(settings),
    plugins: [{ name: PLUGIN, isWALArchiver: true, parameters: store }],
  };
  object(scope, "database", { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata: { name }, spec });
  const nightly: IScheduledBackup["spec"] = {
    schedule: "0 0 1 * * *",
    immediate: true,
    backupOwnerReference: "self",
    cluster: { name },
    method: "plugin",
    pluginConfiguration: { name: PLUGIN },
  };
  const backup = { apiVersion: "postgresql.cnpg.io/v1", kind: "ScheduledBackup", metadata: { name }, spec: nightly };
  object(scope, "backup", backup);
  databasePolicy(scope, service);
  databaseMetrics(scope, name);
}

/** How the process, or its migrate job, connects: the URL without the password, which is in a file. */
export function connection(service: string, role: string): { DATABASE_URL: string } {
  const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent("/run/secrets/postgres.pem")}`;
  return { DATABASE_URL: `postgresql://${role}@${service}-db-rw:5432/collect_${service}?${query}` };
}

/** The authority of the server's certificate, which the operator makes. */
export const authorityOf = (service: string): SecretFile => ({
  secret: `${service}-db-ca`,
  key: "ca.crt",
  name: "postgres.pem",
});

export const passwordOf = (service: string, login: "a" | "b" | "owner"): SecretFile => ({
  secret: `${service}-db-${login}`,
  key: "password",
  name: "DATABASE_PASSWORD",
});

/**
 * The owner runs migrations and no process; `collect_{service}` holds the privileges that they grant, and logins are its members.
 * The owner sees which transaction a migration waits for. The logins are made later, so it cannot be a member of theirs.
 */
function initialize(service: string) {
  const role = `collect_${service}`;
  return {
    database: role,
    owner: `${role}_owner`,
    secret: { name: `${service}-db-owner` },
    dataChecksums: true,
    postInitApplicationSQL: [
      `create role ${role} nologin`,
      `revoke connect, temporary on database ${role} from public`,
      `grant connect on database ${role} to ${role}`,
      `grant pg_read_all_stats to ${role}_owner`,
    ],
  };
}

function rolesOf(service: string, { logins }: Database) {
  const role = `collect_${service}`;
  const open = (login: "a" | "b") => ({
    login: true,
    connectionLimit: CONNECTIONS.login,
    passwordSecret: { name: passwordOf(service, login).secret },
  });
  return (["a", "b"] as const).map((login) => ({
    name: `${role}_${login}`,
    ensure: "present" as const,
    inRoles: [role],
    ...(logins.includes(login) ? open(login) : { login: false, disablePassword: true }),
  }));
}

/**
 * A collection touches random leaves of six indexes, and the first change of a page after a checkpoint writes the whole page to the log
 * (docs/performance.md, At size). So a quarter of the memory holds pages, checkpoints are far apart, and pages are compressed. What is
 * replayed after a crash grows with it; a standby that takes over has replayed it already.
 */
const WAL_MAX_GB = 16;

function gibibytes(quantity: string): number {
  const [, number] = /^(\d+)Gi$/.exec(quantity) ?? [];
  if (!number) throw new Error(`${quantity} is no whole number of Gi`);
  return Number(number);
}

/** `required`: rather no commit than one on a single disk. Which stage may lose one is in the decision. */
function postgresql({ instances, memory, storage }: Database) {
  const synchronous = { method: "any" as const, number: 1, dataDurability: "required" as const };
  return {
    ...(instances === 3 && { synchronous }),
    parameters: {
      max_connections: String(CONNECTIONS.server),
      shared_buffers: `${(gibibytes(memory) * 1024) / 4}MB`,
      max_wal_size: `${Math.min(WAL_MAX_GB, gibibytes(storage) / 10)}GB`,
      checkpoint_timeout: "15min",
      wal_compression: "lz4",
    },
    pg_hba: ["hostnossl all all all reject"],
  };
}

function storeOf() {
  const key = (key: string) => ({ name: "backups", key });
  return {
    retentionPolicy: `${CLUSTER.backups.keptDays}d`,
    configuration: {
      destinationPath: CLUSTER.backups.path,
      s3Credentials: { accessKeyId: key("ACCESS_KEY_ID"), secretAccessKey: key("ACCESS_SECRET_KEY") },
      wal: { compression: "gzip", encryption: "AES256" },
      data: { compression: "gzip", encryption: "AES256" },
    },
  };
}

const object = (scope: Construct, id: string, props: ConstructorParameters<typeof ApiObject>[2]) =>
  new ApiObject(scope, id, props);
