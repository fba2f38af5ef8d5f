import { endPayout, listUnansweredPayouts, repeatPayout, type WireResult } from "@collect/contracts";
import { Command, Option } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json, merchant, reason } from "../options.ts";
import { naira, type Output, print } from "../print.ts";

type About = Output & { merchant: string; reason: string };
type End = About & { paid?: string; failed?: true };

/** `payouts unanswered`, `end` and `repeat`. */
export function unansweredCommands(): Command[] {
  return [
    new Command("unanswered")
      .description(
        "the payouts of which the bank has not said for long how they ended, with the ids that it knows them by",
      )
      .addOption(json())
      .action((output: Output) => list(output)),
    new Command("end")
      .argument("<transfer>", "its id, which the bank has as our reference")
      .description("end a payout that the bank does not answer, as its staff have confirmed")
      .addOption(merchant())
      .addOption(
        new Option("--paid <reference>", "the bank paid it, under this reference of its own").conflicts("failed"),
      )
      .addOption(new Option("--failed", "the bank did not and will not execute it: the money returns to the merchant"))
      .addOption(reason("how you know; for the operators"))
      .addOption(json())
      .action((transfer: string, options: End) => end(transfer, options)),
    new Command("repeat")
      .argument("<transfer>", "its id")
      .description("order a payout under the same id again, from a bank that may never have received it")
      .addOption(merchant())
      .addOption(reason("why; for the operators"))
      .addOption(json())
      .action((transfer: string, options: About) => repeat(transfer, options)),
  ];
}

function list(output: Output): Promise<void> {
  return withBus(async (send) => {
    const listed = await send(listUnansweredPayouts, {});
    const lines = listed.payouts.map(lineOf);
    print(listed, output, () => lines.join("\n") || "No payout has waited for the bank too long.");
  });
}

type Unanswered = WireResult<typeof listUnansweredPayouts>["payouts"][number];
const lineOf = ({ reference, merchant_id, partner, bank_code, account_number, amount, ...payout }: Unanswered) =>
  [
    `${reference} of ${merchant_id}  ₦${naira(amount)} to ${account_number} at ${bank_code}`,
    `sent ${payout.sent_at} by ${partner ?? "a partner that is not known"}`,
    ...(payout.unknown_since ? [`not known there since ${payout.unknown_since}`] : []),
    ...(payout.approval === "lost" ? ["never approved here"] : []),
  ].join(", ");

function end(reference: string, { merchant: merchant_id, paid, failed, reason, json }: End): Promise<void> {
  if (paid === undefined && !failed)
    throw new Error("Give --paid with the bank's reference, or --failed if the bank did not execute it.");
  return withBus(async (send) => {
    const order = { merchant_id, reference, sent_at: await sentAtOf(send, reference) };
    const ended = await send(endPayout, { ...order, bank_reference: paid ?? null, reason });
    print(ended, { json }, () => `${reference} ends as ${ended.status}`);
  });
}

function repeat(reference: string, { merchant: merchant_id, reason, json }: About): Promise<void> {
  return withBus(async (send) => {
    const order = { merchant_id, reference, sent_at: await sentAtOf(send, reference) };
    const repeated = await send(repeatPayout, { ...order, reason });
    print(repeated, { json }, () => `${reference} was ordered again and is ${repeated.status}`);
  });
}

/** Which order the act is about: it is refused if the payout was sent again before another operator approves it. */
async function sentAtOf(send: SendRequest, reference: string): Promise<string | null> {
  const { payouts } = await send(listUnansweredPayouts, { reference });
  return payouts[0]?.sent_at ?? null;
}
