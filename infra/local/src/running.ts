import { join } from "node:path";
import { portIsFree } from "@collect/servers";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";
import { portsOf, type Settings } from "./settings.ts";

/** `.local/stack.json`: who runs on this directory, and where it can be asked whether it still does. */
const Stack = z.object({
  pid: z.int(),
  directory: z.string(),
  receiver_url: z.string(),
  bank_simulator_url: z.string(),
});
export type Stack = z.output<typeof Stack>;

export function describeStack(settings: Settings): Stack {
  return {
    pid: process.pid,
    directory: settings.LOCAL_DIRECTORY,
    receiver_url: `http://127.0.0.1:${settings.RECEIVER_PORT}`,
    bank_simulator_url: `http://127.0.0.1:${settings.BANK_SIMULATOR_PORT}`,
  };
}

export async function noteStack(stack: Stack): Promise<void> {
  await writeJson(join(stack.directory, "stack.json"), stack);
}

/** The stack that runs on this directory, if it answers; a file left by one that was killed does not count. */
export async function runningStack(directory: string): Promise<Stack | undefined> {
  const noted = await readJson(join(directory, "stack.json"), Stack);
  if (!noted) return undefined;
  try {
    const response = await fetch(`${noted.receiver_url}/stack`, { signal: AbortSignal.timeout(3_000) });
    const answer = Stack.safeParse(await response.json());
    return answer.success && answer.data.directory === directory ? answer.data : undefined;
  } catch {
    return undefined;
  }
}

/** Says which ports are taken and how to choose others, before anything is started. */
export async function refuseTakenPorts(settings: Settings): Promise<void> {
  const taken: string[] = [];
  for (const { variable, port, what } of portsOf(settings)) {
    if (!(await portIsFree(port)))
      taken.push(`port ${port} is taken, and ${what} needs it: free it, or choose another with ${variable}=…`);
  }
  if (taken.length > 0) throw new Error(taken.join("\n"));
}
