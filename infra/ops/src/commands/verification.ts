import {
  decideVerification,
  findImitations,
  getVerification,
  listVerifications,
  VERIFICATION_STATES,
  type Verification,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { despiteName, json, merchant } from "../options.ts";
import { type Output, print } from "../print.ts";

type State = Verification["state"];
type MerchantOptions = Output & { merchant: string };
type DecideOptions = MerchantOptions & { submitted?: string; despiteName?: true };

/** Guards against deciding on a submission that the operator has not seen. */
const submitted = () =>
  new Option(
    "--submitted <time>",
    "decide only on the submission of this time, as printed by show (default: the current one)",
  );

/** `merchant verification …`: what businesses have submitted, and the operator's decision. */
export function verificationCommand(): Command {
  const command = new Command("verification").description("business verification");
  command
    .command("list")
    .description("list verifications in a state, longest waiting first, at most 100")
    .addOption(new Option("--state <state>", "the state to list").choices(VERIFICATION_STATES).default("submitted"))
    .addOption(json())
    .action((options: Output & { state: State }) => list(options));
  command
    .command("show")
    .description("show a merchant's submission, with the account name that the bank reports for its settlement account")
    .addOption(merchant())
    .addOption(json())
    .action((options: MerchantOptions) => show(options));
  command
    .command("approve")
    .description(
      "approve the business; the merchant then creates its live keys in the dashboard, which shows the secret key once",
    )
    .addOption(merchant())
    .addOption(submitted())
    .addOption(despiteName())
    .addOption(json())
    .action((options: DecideOptions) => decide(options, "approved"));
  command
    .command("return")
    .description("return the submission to the merchant, who sees the reason and can submit again")
    .addOption(merchant())
    .addOption(submitted())
    .requiredOption("--reason <reason>", "what the merchant has to correct")
    .addOption(json())
    .action((options: DecideOptions & { reason: string }) => decide(options, "returned", options.reason));
  return command;
}

function list({ state, json }: Output & { state: State }): Promise<void> {
  return withBus(async (send) => {
    const verifications = await withImitations(send, (await send(listVerifications, { state })).verifications);
    print({ verifications }, { json }, () =>
      verifications.length === 0
        ? `No verification is ${state}.`
        : verifications
            .map(({ merchant_id, merchant_name, submitted_at, imitates }) =>
              [merchant_id, merchant_name, submitted_at && `submitted ${submitted_at}`, imitated(imitates)]
                .filter(Boolean)
                .join("  "),
            )
            .join("\n"),
    );
  });
}

function show({ merchant: merchant_id, json }: MerchantOptions): Promise<void> {
  return withBus(async (send) => {
    const verification = await read(send, merchant_id);
    print(verification, { json }, () => describe(verification));
  });
}

/**
 * Prints the submission it decides on, and decides on that one only: a submission made in the meantime stays undecided.
 */
function decide(
  { merchant: merchant_id, submitted, despiteName, json }: DecideOptions,
  decision: "approved" | "returned",
  reason?: string,
): Promise<void> {
  return withBus(async (send) => {
    const seen = await read(send, merchant_id);
    const submitted_at = submitted ?? seen.submitted_at;
    const decided = await send(decideVerification, {
      ...{ merchant_id, submitted_at, decision, reason },
      despite_name: despiteName,
    });
    print(decided, { json }, () => `${describe(seen)}\n${decided.merchant_name} (${merchant_id}) is ${decided.state}.`);
  });
}

type Reviewed = Verification & { imitates: string[] };

async function read(send: SendRequest, merchant_id: string): Promise<Reviewed> {
  const [verification] = await withImitations(send, [await send(getVerification, { merchant_id })]);
  if (!verification) throw new Error("one verification was asked for");
  return verification;
}

/** Whose names the businesses resemble. One that is verified bears its name already. */
async function withImitations(send: SendRequest, verifications: Verification[]): Promise<Reviewed[]> {
  const merchant_ids = verifications.filter(({ state }) => state !== "approved").map(({ merchant_id }) => merchant_id);
  const { imitations } = await send(findImitations, { merchant_ids });
  const names = new Map(imitations.map((each) => [each.merchant_id, each.names]));
  return verifications.map((each) => ({ ...each, imitates: names.get(each.merchant_id) ?? [] }));
}

function describe(verification: Reviewed): string {
  const { details, settlement_account_name, settlement_bank_name, submitted_at, decided_at, reason } = verification;
  const filledIn = Object.entries(details).map(([name, value]): [string, string] => [name.replaceAll("_", " "), value]);
  const more: [string, string | null][] = [
    ["account name", settlement_account_name && `${settlement_account_name} (${settlement_bank_name})`],
    ["imitates", verification.imitates.join(", ") || null],
    ["suspended", verification.suspension && `${verification.suspension.since} ${verification.suspension.reason}`],
    ["submitted", submitted_at],
    ["decided", decided_at],
    ["reason", reason],
  ];
  return [
    `${verification.merchant_id}  ${verification.merchant_name}  ${verification.state}`,
    ...[...filledIn, ...more].flatMap(([name, value]) => (value ? [`${name.padEnd(26)} ${oneLine(value)}`] : [])),
  ].join("\n");
}

const imitated = (names: string[]) => names.length > 0 && `imitates: ${names.map(oneLine).join(", ")}`;

/** Merchants' text must not be able to imitate lines of our output. */
const oneLine = (text: string) => text.replace(/\s+/g, " ");
