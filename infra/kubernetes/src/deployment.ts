/** What a service says of itself in `services/{name}/deploy/deployment.ts`. Everything else follows from it. */
export type Deployment = {
  /** The tag of its image. Each service has its own, so that its team deploys it alone. */
  release: string;
  /** Its settings that are no secrets, without those that every process has. */
  settings: Record<string, string>;
  /** Its settings that are secrets: the keys of the Secret with its name, each read from a file. */
  secrets: readonly string[];
  /** Where it is called over HTTP: the setting that says the port, and the port. */
  http?: { setting: string; port: number };
  /** The outsiders that it connects to. */
  calls?: readonly Outsider[];
  replicas: { min: number; max: number };
  /** What makes further replicas useful: processor time, or also events that wait. */
  scalesBy: "processor" | "backlog";
  /** The setting by which replicas differ: each gets its number, from 0. */
  numberedBy?: string;
  /** Of one replica. Memory is reserved and limited alike. */
  resources: { cpu: string; cpuMax: string; memory: string };
  database: Database;
};

/** What of a deployment says how its process runs. The operators' pages have no more than this. */
export type Runs = Pick<Deployment, "http" | "replicas" | "scalesBy" | "numberedBy">;

export type Outsider = "bank" | "merchants" | "mail";

export type Database = {
  /** With three, each commit is on two disks before it is answered, with any one of them missing, too. */
  instances: 2 | 3;
  /** The logins that are open, of `a` and `b`. Replicas use the first; while its password is changed, both are. */
  logins: readonly ["a" | "b", ...("a" | "b")[]];
  storage: string;
  cpu: string;
  memory: string;
  /** The folder of its backups and WAL, which is its name at first. A restored database has another: it must not write into the former's. */
  archive?: string;
};
