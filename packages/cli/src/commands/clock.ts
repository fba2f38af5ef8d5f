import type { Client } from "@collect/sdk";
import { Command, InvalidArgumentError } from "commander";
import { testContextOf } from "../context.ts";
import { durationMs } from "../options.ts";
import { printObject } from "../print.ts";

/** Longer than the API works on what is due before it responds. */
const TIMEOUT_MS = 60_000;

type Until = { byMs: number } | { to: Date };

export function clockCommand(): Command {
  const command = new Command("clock").description("the time in test mode; test keys only");
  command
    .command("show")
    .description("show the time in test mode")
    .action(async (_options, self: Command) => {
      const { collect, json } = testContextOf(self);
      printObject(await collect.getTestClock(), { json });
    });
  command
    .command("advance")
    .description("let time pass in test mode; whatever waits for it has happened when the command ends")
    .argument("<duration|time>", "36h, 30d, or until 2026-12-01T00:00:00Z", parseUntil)
    .action(async (until: Until, _options, self: Command) => {
      const { collect, json } = testContextOf(self);
      printObject(await advance(collect, until), { json });
    });
  return command;
}

/** A time is safe to send again, unlike a duration: until everything that is due by then has happened. */
async function advance(collect: Client, until: Until) {
  const to = "to" in until ? until.to : new Date(Date.parse((await collect.getTestClock()).now) + until.byMs);
  for (;;) {
    // What real time has reached meanwhile happens by itself.
    const clock = await collect.advanceTestClock({ advance_to: to.toISOString() }, { timeoutMs: TIMEOUT_MS });
    if (!clock.has_more || to.getTime() <= Date.now()) return clock;
  }
}

function parseUntil(text: string): Until {
  const byMs = durationMs(text);
  if (byMs !== undefined) return { byMs };
  const to = new Date(text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(to.getTime()))
    throw new InvalidArgumentError("Give a duration such as 36h or 30d, or a time such as 2026-12-01T00:00:00Z.");
  return { to };
}
