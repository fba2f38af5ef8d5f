import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build as buildSdk } from "../../sdk/build.ts";
import { build } from "../build.ts";
import { respond, serve } from "./servers.ts";

const run = promisify(execFile);
/** A developer's machine, with the package installed from its archive and those of what it needs. */
let machine: string;

beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), "collect-cli-"));
  const [cli, sdk] = [join(machine, "cli"), join(machine, "sdk")];
  for (const directory of [cli, sdk]) await mkdir(directory);
  await Promise.all([build(cli), buildSdk(sdk)]);
  const commander = await realpath(new URL("../node_modules/commander", import.meta.url));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", machine, cli, sdk, commander]);
  const archives = JSON.parse(stdout).map(({ filename }: { filename: string }) => join(machine, filename));
  await writeFile(join(machine, "package.json"), "{}");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...archives], { cwd: machine });
});
afterAll(() => rm(machine, { recursive: true, force: true }));

test("the installed binary works without the rest of this repository", async () => {
  const api = await serve((_request, response) => respond(response, 200, { collected: 5, settled: 7 }));
  const env = { PATH: dirname(process.execPath), COLLECT_KEY: "sk_test_abc", COLLECT_BASE_URL: `${api.url}/v1` };
  const collect = join(machine, "node_modules", ".bin", "collect");
  const { stdout } = await run(collect, ["accounts", "show", "cust_42"], { env });
  expect(stdout).toBe("collected  5\nsettled    7\n");
  expect((await run(collect, ["--version"], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
