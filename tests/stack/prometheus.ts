import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SERVICES } from "@collect/contracts";
import { endChild, freePort, startChild, untilReady } from "@collect/servers";
import { until } from "@collect/testing";
import { z } from "zod";
import { ROOT } from "./service.ts";

/** A process as Prometheus' discovery on Kubernetes names it. */
export type Pod = { service: string; pod: string; port: number };

export type Prometheus = {
  /** Which pods there are from now on; resolves once it has read them all, and knows no others. */
  discover(pods: Pod[]): Promise<void>;
  /** The labels of each series that the expression has now. */
  query(expression: string): Promise<Record<string, string>[]>;
  stop(): Promise<void>;
};

/** Those of the tree, as they are deployed. */
export const RULES = ["infra/kubernetes", ...SERVICES.map((name) => `services/${name}/deploy`)].map((folder) =>
  readFileSync(join(ROOT, folder, "alerts.yaml"), "utf8"),
);

/** Every `for:` is 3 seconds, and every range 5, five samples; expressions and thresholds stay as they are. */
const shortened = (rules: string) => rules.replaceAll(/^( +for:) \w+$/gm, "$1 3s").replaceAll(/\[\w+\]/g, "[5s]");

const Answer = z.object({
  data: z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) }),
});

/** Prometheus itself on loopback. It reads the pods every second, and evaluates the shortened rules twice as often. */
export async function startPrometheus(program: string): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), "prometheus-"));
  const [config, found] = [join(directory, "prometheus.yaml"), join(directory, "pods.json")];
  const list = (pods: Pod[]) => {
    const targets = pods.map(({ port, ...labels }) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { namespace: "collect", ...labels },
    }));
    writeFileSync(`${found}.new`, JSON.stringify(targets));
    renameSync(`${found}.new`, found);
  };
  list([]);
  for (const [index, rules] of RULES.entries()) writeFileSync(join(directory, `rules-${index}.yaml`), shortened(rules));
  // YAML, of which JSON is a part.
  const settings = {
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "500ms" },
    rule_files: [join(directory, "rules-*.yaml")],
    scrape_configs: [{ job_name: "collect", file_sd_configs: [{ files: [found] }] }],
  };
  writeFileSync(config, JSON.stringify(settings));

  const address = `127.0.0.1:${await freePort()}`;
  const options = {
    "config.file": config,
    "storage.tsdb.path": join(directory, "data"),
    "web.listen-address": address,
  };
  const child = await startChild({
    command: program,
    args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    logFile: join(directory, "prometheus.log"),
    stopSignal: "SIGTERM",
  });
  const get = (path: string) => fetch(`http://${address}${path}`, { signal: AbortSignal.timeout(5_000) });
  const isReady = () =>
    get("/-/ready").then(
      ({ ok }) => ok,
      () => false,
    );
  await untilReady("Prometheus", child, isReady);
  const query: Prometheus["query"] = async (expression) => {
    const response = await get(`/api/v1/query?query=${encodeURIComponent(expression)}`);
    return Answer.parse(await response.json()).data.result.map(({ metric }) => metric);
  };
  return {
    query,
    async discover(pods) {
      list(pods);
      const wanted = pods.map(({ pod }) => pod).toSorted();
      await until("Prometheus reads these pods", async () => {
        const known = (await query("up")).map(({ pod = "" }) => pod);
        return isDeepStrictEqual(known.toSorted(), wanted);
      });
    },
    async stop() {
      await endChild(child, "SIGTERM", "SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}
