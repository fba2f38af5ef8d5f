import { Command, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { accountsCommand } from "./commands/accounts.ts";
import { collectionsCommand } from "./commands/collections.ts";
import { eventsCommand } from "./commands/events.ts";
import { listenCommand } from "./commands/listen.ts";
import { paymentsCommand } from "./commands/payments.ts";
import { settleCommand } from "./commands/settle.ts";
import { triggerCommand } from "./commands/trigger.ts";

export function createProgram(): Command {
  const program = new Command("collect")
    .version(manifest.version)
    .description("The Merchant Collection API on the command line. The key decides the mode.")
    .addOption(new Option("--key <key>", "the API key, sk_… or rk_…").env("COLLECT_KEY"))
    .addOption(new Option("--base-url <url>", "the API; a live key needs it").env("COLLECT_BASE_URL"))
    .option("--json", "print results as JSON, one a line");
  const commands = [
    listenCommand(),
    triggerCommand(),
    eventsCommand(),
    accountsCommand(),
    paymentsCommand(),
    collectionsCommand(),
    settleCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  return throwing(program);
}

/** Errors of usage are thrown to the caller, which decides how the process ends; the key is in the help of every command. */
function throwing(command: Command): Command {
  for (const inner of command.commands) throwing(inner);
  return command.exitOverride().configureHelp({ showGlobalOptions: true });
}
