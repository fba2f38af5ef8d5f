import {
  decideVerification,
  getVerification,
  listVerifications,
  VERIFICATION_STATES,
  type Verification,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { asking } from "../ask.ts";
import { json, merchant } from "../options.ts";
import { type Output, print } from "../print.ts";

type State = Verification["state"];
type Whose = Output & { merchant: string };
type Which = Whose & { submitted?: string };

/** What is submitted after somebody has looked must not be decided about unseen. */
const submitted = () =>
  new Option("--submitted <time>", "only what was submitted then, as show says it; otherwise what there is now");

/** `merchant verification …`: what businesses have submitted, and what the operator decides about it. */
export function verificationCommand(): Command {
  const command = new Command("verification").description("what businesses submit to be verified");
  command
    .command("list")
    .description("who waits for a decision, longest first; 100 at most")
    .addOption(new Option("--state <state>", "others than those").choices(VERIFICATION_STATES).default("submitted"))
    .addOption(json())
    .action((options: Output & { state: State }) => list(options));
  command
    .command("show")
    .description("all that a merchant has filled in, and in whose name the bank says its account stands")
    .addOption(merchant())
    .addOption(json())
    .action((options: Whose) => show(options));
  command
    .command("approve")
    .description(
      "the business is verified; its live keys are made in the dashboard, where the secret one is shown once",
    )
    .addOption(merchant())
    .addOption(submitted())
    .addOption(json())
    .action((options: Which) => decide(options, "approved"));
  command
    .command("return")
    .description("give it back to the merchant, who sees the reason and can submit it again")
    .addOption(merchant())
    .addOption(submitted())
    .requiredOption("--reason <reason>", "what the merchant has to mend")
    .addOption(json())
    .action((options: Which & { reason: string }) => decide(options, "returned", options.reason));
  return command;
}

function list({ state, json }: Output & { state: State }): Promise<void> {
  return asking(async (ask) => {
    const listed = await ask(listVerifications, { state });
    print(listed, { json }, () =>
      listed.verifications.length === 0
        ? `There is none that is ${state}.`
        : listed.verifications
            .map(({ merchant_id, merchant_name, submitted_at }) =>
              [merchant_id, merchant_name, submitted_at && `submitted ${submitted_at}`].filter(Boolean).join("  "),
            )
            .join("\n"),
    );
  });
}

function show({ merchant: merchant_id, json }: Whose): Promise<void> {
  return asking(async (ask) => {
    const shown = await ask(getVerification, { merchant_id });
    print(shown, { json }, () => words(shown));
  });
}

/** Shows what it decides about, and decides about that only: who submits something else meanwhile is not answered yet. */
function decide(
  { merchant: merchant_id, submitted, json }: Which,
  decision: "approved" | "returned",
  reason?: string,
): Promise<void> {
  return asking(async (ask) => {
    const seen = await ask(getVerification, { merchant_id });
    const submitted_at = submitted ?? seen.submitted_at;
    const decided = await ask(decideVerification, { merchant_id, submitted_at, decision, reason });
    print(decided, { json }, () => `${words(seen)}\n${decided.merchant_name} (${merchant_id}) is ${decided.state}.`);
  });
}

function words(shown: Verification): string {
  const { details, settlement_account_name, settlement_bank_name, submitted_at, decided_at, reason } = shown;
  const filledIn = Object.entries(details).map(([name, value]): [string, string] => [name.replaceAll("_", " "), value]);
  const more: [string, string | null][] = [
    ["account name", settlement_account_name && `${settlement_account_name} (${settlement_bank_name})`],
    ["submitted", submitted_at],
    ["decided", decided_at],
    ["reason", reason],
  ];
  return [
    `${shown.merchant_id}  ${shown.merchant_name}  ${shown.state}`,
    ...[...filledIn, ...more].flatMap(([name, value]) => (value ? [`${name.padEnd(26)} ${oneLine(value)}`] : [])),
  ].join("\n");
}

/** What a merchant typed cannot look like a line of ours. */
const oneLine = (text: string) => text.replace(/\s+/g, " ");
