import { deadLetterRequests } from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json, letters, service } from "../options.ts";
import { type Output, print } from "../print.ts";

export function deadLettersCommand(): Command {
  const command = new Command("dead-letters").description("messages that failed on their data");
  command
    .command("list")
    .description("list dead letters, newest first")
    .addOption(service())
    .addOption(json())
    .action((options: Options) => list(options));
  command
    .command("retry")
    .description("publish dead letters again and delete them from the list")
    .addOption(service())
    .option("--key <natural-key>", "only the message with this natural key")
    .addOption(json())
    .action((options: Options & { key?: string }) => retry(options));
  command
    .command("discard")
    .description("delete dead letters that are no facts of ours: their keys begin with forged: or unreadable:")
    .addOption(service().makeOptionMandatory())
    .addOption(new Option("--key <key>", "the key of one, from the list").conflicts("prefix"))
    .option("--prefix <beginning>", "all whose keys begin with this; without --count it only says how many there are")
    .option("--count <number>", "how many there have to be with this prefix: otherwise none is deleted", letters)
    .addOption(json())
    .action((options: Options & Selection) => discard(options));
  return command;
}

type Options = Output & { service?: string };
type Selection = { key?: string; prefix?: string; count?: number };
type Requests = (typeof deadLetterRequests)[string];

function list(options: Options): Promise<void> {
  return withBus((send) =>
    forEachService(options, async (service, { list }) => {
      const { dead_letters } = await send(list, {});
      const letters = dead_letters.map((letter) => ({ service, ...letter }));
      const lines = letters.map(
        ({ consumer, natural_key, times, last_at, error }) =>
          `${consumer}  ${natural_key}  ${times}× ${last_at}  ${error}`,
      );
      return { result: letters, lines: [`${service}: ${letters.length}`, ...lines] };
    }),
  );
}

function retry({ key, ...options }: Options & { key?: string }): Promise<void> {
  return withBus((send) =>
    forEachService(options, async (service, { retry }) => {
      const { retried } = await send(retry, { natural_key: key });
      return { result: [{ service, retried }], lines: [`${service}: ${retried} retried`] };
    }),
  );
}

function discard({ key, prefix, count, ...options }: Options & Selection): Promise<void> {
  return withBus((send) =>
    forEachService(options, async (service, { discard }) => {
      const { discarded } = await send(discard, { natural_key: key, prefix, count });
      return { result: [{ service, discarded }], lines: [`${service}: ${discarded} discarded`] };
    }),
  );
}

/** One service or all. The results of those that answer are printed even when another does not. */
async function forEachService(
  { service, json }: Options,
  work: (service: string, requests: Requests) => Promise<{ result: object[]; lines: string[] }>,
): Promise<void> {
  const services = Object.entries(deadLetterRequests).filter(([name]) => !service || name === service);
  const settled = await Promise.allSettled(services.map(([name, requests]) => work(name, requests)));
  const succeeded = settled.filter((each) => each.status === "fulfilled").map(({ value }) => value);
  print(
    succeeded.flatMap(({ result }) => result),
    { json },
    () => succeeded.flatMap(({ lines }) => lines).join("\n"),
  );
  const failed = settled.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}
