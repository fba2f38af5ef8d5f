import { setTimeout as sleep } from "node:timers/promises";
import {
  eraseAgain,
  eraseCustomer,
  erasePayer,
  listErasures,
  type Person,
  Problem,
  surveyPerson,
  type WireResult,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json, type ModeOption, mode, reason } from "../options.ts";
import { type Output, print } from "../print.ts";

type EraseOptions = Output & ModeOption & { reason: string; dryRun?: true };
type Survey = WireResult<typeof surveyPerson>;

export function eraseCommand(): Command {
  const command = new Command("erase").description(
    "erase a person's data; amounts, entries, sums and references stay. It cannot be undone",
  );
  const why = () => reason("why, such as the number of the request; it is recorded, so without personal data");
  const dryRun = () => new Option("--dry-run", "only count what would be erased, and what has to end first");
  command
    .command("customer <merchant> <customer-reference>")
    .description("a customer whose account is retired: their name, and the senders of what they were paid")
    .addOption(mode())
    .addOption(why())
    .addOption(dryRun())
    .addOption(json())
    .action((id: string, reference: string, { mode, ...options }: EraseOptions) =>
      erase({ merchant: { id, mode }, kind: "customer", reference }, options),
    );
  command
    .command("payer <merchant> <reference>")
    .description("the payer of a collection (col_…) or payment (pay_…), and all else from the same account and name")
    .addOption(mode())
    .addOption(why())
    .addOption(dryRun())
    .addOption(json())
    .action((id: string, reference: string, { mode, ...options }: EraseOptions) =>
      erase({ merchant: { id, mode }, kind: "payer", reference }, options),
    );
  command
    .command("again")
    .description("repeat erasures, after a database was restored from a backup that contains the data")
    .option("--since <time>", "those that finished since then, such as 2026-11-21T09:30:00Z; all by default")
    .addOption(json())
    .action(({ since, json }: Output & { since?: string }) => again(since, { json }));
  command
    .command("list")
    .description("the erasures in progress, and then the newest, 200 in all; exits with 1 while one is in progress")
    .addOption(json())
    .action((options: Output) => list(options));
  return command;
}

const POLL_INTERVAL_MS = 500;

/** Orders the erasure and polls it until it has finished. Interrupting the command does not stop the erasure. */
function erase(person: Person, { reason, dryRun, json }: Omit<EraseOptions, "mode">): Promise<void> {
  return withBus(async (send) => {
    if (dryRun) {
      const found = await send(surveyPerson, person);
      return print({ found }, { json }, () => `Would erase: ${counted(found)}`);
    }
    const { id, found } = await order(send, person, reason);
    while (!(await isFinished(send, id))) await sleep(POLL_INTERVAL_MS);
    print({ id, found }, { json }, () => `${id} is finished. Erased: ${counted(found)}`);
  });
}

const order = (send: SendRequest, { merchant, kind, reference }: Person, reason: string) =>
  kind === "customer"
    ? send(eraseCustomer, { merchant, customer_reference: reference, reason })
    : send(erasePayer, { merchant, reference, reason });

async function isFinished(send: SendRequest, id: string): Promise<boolean> {
  const [erasure] = (await send(listErasures, { id })).erasures;
  if (!erasure) throw new Problem("not_found", "accounts was restored, and has lost the erasure. Order it again.");
  return erasure.finished_at !== null;
}

function counted(found: Survey): string {
  const { accounts, transfers, sessions, events, responses } = found;
  const { open_sessions, unfinished_transfers, pending_deliveries } = found;
  return [
    `${accounts} customer accounts, ${transfers} transfers and collections, ${sessions} payments, ${events} events, ${responses} responses of the merchant`,
    `In progress: ${open_sessions} open payments, ${unfinished_transfers} unfinished transfers, ${pending_deliveries} pending deliveries`,
  ].join("\n");
}

function again(since: string | undefined, output: Output): Promise<void> {
  return withBus(async (send) => {
    const result = await send(eraseAgain, { since });
    print(result, output, () => `${result.repeated} erasures are repeated: see ops -- erase list`);
  });
}

function list(output: Output): Promise<void> {
  return withBus(async (send) => {
    const { erasures } = await send(listErasures, {});
    if (erasures.some(({ finished_at }) => finished_at === null)) process.exitCode = 1;
    print({ erasures }, output, () =>
      erasures
        .map(({ id, merchant, kind, reference, requested_at, finished_at }) =>
          [
            `${id}  ${requested_at}  ${kind} ${reference} of ${merchant.id} (${merchant.mode})`,
            finished_at ? `finished ${finished_at}` : "in progress",
          ].join("  "),
        )
        .join("\n"),
    );
  });
}
