import { getIncomingHealth, getPayoutHealth, type WireResult } from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";
import { issuingCommands } from "./partner-issuing.ts";

export function partnerCommand(): Command {
  const command = new Command("partner").alias("partners").description("the partner banks");
  command
    .command("health")
    .description("what the bank reported, issued and answered last in live mode; the bank is not called")
    .addOption(json())
    .action((output: Output) => health(output));
  for (const issuing of issuingCommands()) command.addCommand(issuing);
  return command;
}

function health(output: Output): Promise<void> {
  return withBus(async (send) => {
    const [incoming, outgoing] = await Promise.all([send(getIncomingHealth, {}), send(getPayoutHealth, {})]);
    const { transfers, accounts } = incoming;
    const { bank, payouts, name_enquiries } = outgoing;
    const result = { bank, transfers, accounts, payouts, name_enquiries };
    print(result, output, () => [`${bank.name} (${bank.code})`, ...linesOf(incoming), ...linesTo(outgoing)].join("\n"));
  });
}

const linesOf = ({ transfers: { state, last, unfinished }, accounts }: WireResult<typeof getIncomingHealth>) => [
  `incoming        ${state}: ${last ? `last received ${last.received_at}, paid ${last.paid_at}` : "none received"}; ${unfinished.count} unfinished${since(unfinished.oldest_received_at)}`,
  `accounts        ${accounts.state}: ${accounts.issued} issued in the last day, last ${accounts.last_issued_at ?? "none"}; ${accounts.pending.count} without a number${since(accounts.pending.oldest_created_at)}`,
];

const linesTo = ({ payouts, name_enquiries: names }: WireResult<typeof getPayoutHealth>) => [
  `payouts         ${payouts.state}: ${payouts.unanswered.count} without an answer, ${payouts.unanswered.sum} kobo${since(payouts.unanswered.oldest_sent_at)}; last success ${payouts.last_success_at ?? "none"}`,
  `  last hour     ${payoutResults(payouts.hour)}`,
  `  since ${payouts.since}  ${payoutResults(payouts.day)}`,
  `name enquiries  ${names.state}: last named ${names.last_named_at ?? "none"}`,
  `  last hour     ${enquiryResults(names.hour)}`,
  `  since ${names.since}  ${enquiryResults(names.day)}`,
];

const since = (at: string | null) => (at ? ` since ${at}` : "");

type Health = WireResult<typeof getPayoutHealth>;
const payoutResults = ({ success, reversed, failed, unanswered }: Health["payouts"]["hour"]) =>
  [
    ...[`${success} succeeded`, `${reversed} reversed`, `${unanswered} without an answer`],
    ...failed.map(({ code, count }) => `${count} failed: ${code}`),
  ].join(", ");
const enquiryResults = ({ named, unresolved, failed }: Health["name_enquiries"]["hour"]) =>
  `${named} named, ${unresolved} unknown accounts, ${failed} without an answer`;
