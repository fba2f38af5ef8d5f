import { deadLetterRequests } from "@collect/contracts";
import { Command } from "commander";
import { asking } from "../ask.ts";
import { json, service } from "../options.ts";
import { type Output, print } from "../print.ts";

export function deadLettersCommand(): Command {
  const command = new Command("dead-letters").description("messages that failed on their data");
  command
    .command("list")
    .description("what failed, newest first")
    .addOption(service())
    .addOption(json())
    .action((options: Options) => list(options));
  command
    .command("retry")
    .description("publish dead letters again and forget them")
    .addOption(service())
    .option("--key <natural-key>", "only the one with this key")
    .addOption(json())
    .action((options: Options & { key?: string }) => retry(options));
  return command;
}

type Options = Output & { service?: string };
type Requests = (typeof deadLetterRequests)[string];

function list(options: Options): Promise<void> {
  return asking((ask) =>
    ofEach(options, async (service, { list }) => {
      const { dead_letters } = await ask(list, {});
      const letters = dead_letters.map((letter) => ({ service, ...letter }));
      const words = letters.map(
        ({ consumer, natural_key, times, last_at, error }) =>
          `${consumer}  ${natural_key}  ${times}× ${last_at}  ${error}`,
      );
      return { result: letters, words: [`${service}: ${letters.length}`, ...words] };
    }),
  );
}

function retry({ key, ...options }: Options & { key?: string }): Promise<void> {
  return asking((ask) =>
    ofEach(options, async (service, { retry }) => {
      const { retried } = await ask(retry, { natural_key: key });
      return { result: [{ service, retried }], words: [`${service}: ${retried} retried`] };
    }),
  );
}

/** One service or all; those that answer are printed even when another does not. */
async function ofEach(
  { service, json }: Options,
  work: (service: string, requests: Requests) => Promise<{ result: object[]; words: string[] }>,
): Promise<void> {
  const services = Object.entries(deadLetterRequests).filter(([name]) => !service || name === service);
  const settled = await Promise.allSettled(services.map(([name, requests]) => work(name, requests)));
  const done = settled.filter((each) => each.status === "fulfilled").map(({ value }) => value);
  print(
    done.flatMap(({ result }) => result),
    { json },
    () => done.flatMap(({ words }) => words).join("\n"),
  );
  const failed = settled.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}
