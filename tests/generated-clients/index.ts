import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { generate } from "orval";

/** A merchant's first calls, by a generated client. */
export type FirstCalls = (baseUrl: string, key: string) => Promise<unknown>;
export type Generator = "hey-api" | "orval";
export type GeneratedClients = {
  /** Compiles the clients and the code in `merchant` that calls them. Returns what the compiler says. */
  compile(): Promise<string>;
  /** That code as it was compiled. */
  firstCalls(generator: Generator): FirstCalls;
  remove(): Promise<void>;
};

/**
 * What a merchant does who does not use the SDK: generates a client from the published document. A package of its own, because
 * @hey-api/openapi-ts writes with the programming interface of TypeScript 5, and the clients are compiled with that, too.
 */
export async function generateClients(baseUrl: string): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), "collect-clients-"));
  const input = join(folder, "openapi.json");
  const require = createRequire(import.meta.url);
  const published = await fetch(`${baseUrl}/openapi.json`);
  await writeFile(input, await published.text());
  await cp(fileURLToPath(new URL("merchant", import.meta.url)), folder, { recursive: true });
  const plugins = ["@hey-api/client-fetch", "@hey-api/sdk"] as const;
  await createClient({ input, output: join(folder, "hey-api-client"), plugins, logs: { level: "silent" } });
  await generate({
    input,
    output: { target: join(folder, "orval-client.ts"), client: "fetch", mode: "single", baseUrl },
  });
  return {
    // Not synchronously: the test's connections have to be served meanwhile.
    compile: () =>
      new Promise((resolve) => {
        const compiler = require.resolve("typescript/lib/tsc.js");
        execFile(process.execPath, [compiler, "-p", folder], (error, stdout) =>
          resolve(stdout || (error?.message ?? "")),
        );
      }),
    firstCalls: (generator) => require(join(folder, "out", `${generator}.js`)).firstCalls,
    remove: () => rm(folder, { recursive: true }),
  };
}
