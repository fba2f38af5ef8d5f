import type { Event, Query } from "@collect/sdk";
import { Command } from "commander";
import { contextOf } from "../context.ts";
import { eventOf, lastSequence, startOf } from "../event-log.ts";
import { type From, from, limit } from "../options.ts";
import { type Columns, printObject, printRows } from "../print.ts";
import { firstRows } from "../rows.ts";

type ListOptions = { from?: From; type?: NonNullable<Query<"listEvents">>["type"]; limit: number };

const COLUMNS: Columns<Event> = [
  ["NUMBER", ({ sequence }) => sequence],
  ["EVENT", ({ event }) => event],
  ["REFERENCE", ({ reference }) => reference],
  ["DELIVERY", ({ delivery }) => delivery?.status ?? null],
  ["CREATED", ({ created_at }) => created_at],
  ["ID", ({ id }) => id],
];

export function eventsCommand(): Command {
  const command = new Command("events").description("the numbered event log");
  command
    .command("list")
    .description("list the last events, or those from a place in the log; oldest first")
    .addOption(from())
    .option("--type <event>", "only events of this kind; with --from")
    .addOption(limit())
    .action(async ({ from, type, limit }: ListOptions, self: Command) => {
      const { collect, json } = contextOf(self);
      if (type && !from) self.error("error: --type needs --from: the log is searched from there");
      const after_sequence = from ? await startOf(collect, from) : Math.max((await lastSequence(collect)) - limit, 0);
      const rows = await firstRows(limit, (limit) => collect.listEvents({ after_sequence, type, limit }));
      printRows(rows, { json }, COLUMNS);
    });
  command
    .command("show <id>")
    .description("show an event by its id, evt_…, or its number")
    .action(async (id: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      printObject(await eventOf(collect, id), { json });
    });
  command
    .command("replay <id>")
    .description("send an event to your webhook URL again, with the same bytes")
    .action(async (id: string, _options, self: Command) => {
      const { collect, json } = contextOf(self);
      const event = await eventOf(collect, id);
      printObject(await collect.replayEvent(event.id), { json });
    });
  return command;
}
