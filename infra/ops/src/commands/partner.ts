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
    .description("what each bank reported, issued and answered last in live mode; no bank is called")
    .addOption(json())
    .action((output: Output) => health(output));
  for (const issuing of issuingCommands()) command.addCommand(issuing);
  return command;
}

function health(output: Output): Promise<void> {
  return withBus(async (send) => {
    const [incoming, outgoing] = await Promise.all([send(getIncomingHealth, {}), send(getPayoutHealth, {})]);
    const partners = healthOf(incoming, outgoing);
    print({ partners }, output, () => partners.flatMap(linesOf).join("\n"));
  });
}

type Incoming = WireResult<typeof getIncomingHealth>;
type Outgoing = WireResult<typeof getPayoutHealth>;
type Health = Pick<Incoming, "bank"> & Partial<Omit<Incoming, "others"> & Omit<Outgoing, "others">>;

/** Of each partner what both services know of it: one may only receive, or only pay out. The last release knows one. */
function healthOf({ others: alsoIn = [], ...incoming }: Incoming, { others: alsoOut = [], ...outgoing }: Outgoing) {
  const partners = new Map<string, Health>();
  for (const health of [incoming, ...alsoIn, outgoing, ...alsoOut])
    partners.set(health.bank.code, { ...partners.get(health.bank.code), ...health });
  return [...partners.values()];
}

const linesOf = ({ bank, transfers, accounts, payouts, name_enquiries }: Health) => [
  `${bank.name} (${bank.code})`,
  ...(transfers ? [transferLine(transfers)] : []),
  ...(accounts ? [accountLine(accounts)] : []),
  ...(payouts ? payoutLines(payouts) : []),
  ...(name_enquiries ? enquiryLines(name_enquiries) : []),
];

const transferLine = ({ state, last, unfinished }: Incoming["transfers"]) =>
  `incoming        ${state}: ${last ? `last received ${last.received_at}, paid ${last.paid_at}` : "none received"}; ${unfinished.count} unfinished${since(unfinished.oldest_received_at)}`;

const accountLine = ({ state, issued, last_issued_at, pending }: Incoming["accounts"]) =>
  `accounts        ${state}: ${issued} issued in the last day, last ${last_issued_at ?? "none"}; ${pending.count} without a number${since(pending.oldest_created_at)}`;

const payoutLines = (payouts: Outgoing["payouts"]) => [
  `payouts         ${payouts.state}: ${payouts.unanswered.count} without an answer, ${payouts.unanswered.sum} kobo${since(payouts.unanswered.oldest_sent_at)}; last success ${payouts.last_success_at ?? "none"}`,
  `  last hour     ${payoutResults(payouts.hour)}`,
  `  since ${payouts.since}  ${payoutResults(payouts.day)}`,
];

const enquiryLines = (names: Outgoing["name_enquiries"]) => [
  `name enquiries  ${names.state}: last named ${names.last_named_at ?? "none"}`,
  `  last hour     ${enquiryResults(names.hour)}`,
  `  since ${names.since}  ${enquiryResults(names.day)}`,
];

const since = (at: string | null) => (at ? ` since ${at}` : "");

const payoutResults = ({ success, reversed, failed, unanswered }: Outgoing["payouts"]["hour"]) =>
  [
    ...[`${success} succeeded`, `${reversed} reversed`, `${unanswered} without an answer`],
    ...failed.map(({ code, count }) => `${count} failed: ${code}`),
  ].join(", ");
const enquiryResults = ({ named, unresolved, failed }: Outgoing["name_enquiries"]["hour"]) =>
  `${named} named, ${unresolved} unknown accounts, ${failed} without an answer`;
