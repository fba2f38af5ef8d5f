import { type Client, createClient } from "@collect/sdk";
import type { Command } from "commander";

type GlobalOptions = { key?: string; baseUrl?: string; json?: true };

/** What a command works with: the client of its key, and where its results go. */
export type Context = { collect: Client; mode: "test" | "live"; json: boolean };

export function contextOf(command: Command): Context {
  const { key, baseUrl, json = false } = command.optsWithGlobals<GlobalOptions>();
  if (!key) return command.error("error: an API key is missing: give --key or set COLLECT_KEY");
  try {
    const collect = createClient({ key, ...(baseUrl && { baseUrl }) });
    return { collect, mode: /^.k_live_/.test(key) ? "live" : "test", json };
  } catch (error) {
    // The key or the URL cannot be right: nothing was sent.
    return command.error(`error: ${error instanceof Error ? error.message : error}`);
  }
}

/** For what moves money: only test money. */
export function testContextOf(command: Command): Context {
  const context = contextOf(command);
  return context.mode === "test" ? context : command.error("error: this needs a test key");
}
