import { join } from "node:path";
import { portIsFree } from "@collect/servers";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";
import { BANK_NAMES, portsOf, type Settings } from "./settings.ts";

/** `.local/stack.json`: the process that uses this directory, and the URLs to check that it is still running. */
const Stack = z.object({
  pid: z.int(),
  directory: z.string(),
  receiver_url: z.string(),
  bank_simulator_url: z.string(),
  /** Absent from files of an older release, like what follows. */
  bank: z.enum(BANK_NAMES).default("local"),
  mailbox_url: z.string().optional(),
  operators_url: z.string().optional(),
});
export type Stack = z.output<typeof Stack>;

export function describeStack(settings: Settings): Stack {
  return {
    pid: process.pid,
    directory: settings.LOCAL_DIRECTORY,
    receiver_url: `http://127.0.0.1:${settings.RECEIVER_PORT}`,
    bank_simulator_url: `http://127.0.0.1:${settings.BANK_SIMULATOR_PORT}`,
    bank: settings.BANK,
    mailbox_url: `http://127.0.0.1:${settings.MAILBOX_PORT}`,
    // Browsers make keys only at https and at localhost.
    operators_url: `http://localhost:${settings.OPERATORS_PORT}`,
  };
}

export async function recordStack(stack: Stack): Promise<void> {
  await writeJson(join(stack.directory, "stack.json"), stack);
}

/** The stack that runs on this directory, if it responds; the file of a killed stack does not count. */
export async function runningStack(directory: string): Promise<Stack | undefined> {
  const recorded = await readJson(join(directory, "stack.json"), Stack);
  if (!recorded) return undefined;
  try {
    const response = await fetch(`${recorded.receiver_url}/stack`, { signal: AbortSignal.timeout(3_000) });
    const stack = Stack.safeParse(await response.json());
    return stack.success && stack.data.directory === directory ? stack.data : undefined;
  } catch {
    return undefined;
  }
}

/** Fails with the taken ports and the variables that change them, before anything is started. */
export async function assertPortsFree(settings: Settings): Promise<void> {
  const taken: string[] = [];
  for (const { variable, port, what } of portsOf(settings)) {
    if (!(await portIsFree(port)))
      taken.push(`port ${port} is taken, but ${what} needs it: free it, or choose another with ${variable}=…`);
  }
  if (taken.length > 0) throw new Error(taken.join("\n"));
}
