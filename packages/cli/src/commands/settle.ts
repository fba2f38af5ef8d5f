import { Command } from "commander";
import { testContextOf } from "../context.ts";
import { printObject } from "../print.ts";

export function settleCommand(): Command {
  return new Command("settle")
    .description("settle what is collected now, so that it can be paid out; test keys only")
    .action(async (_options, self: Command) => {
      const { collect, json } = testContextOf(self);
      const { settlement } = await collect.sandboxSettle();
      printObject(settlement ?? { settlement }, { json });
    });
}
