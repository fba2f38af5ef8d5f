import {
  LISTED_WAITING_MAX,
  listWebhookHolds,
  pauseWebhookEndpointAsOperator,
  resumeWebhookEndpoint,
  showMerchant,
  type WireInput,
  type WireResult,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json, type ModeOption, mode, reason } from "../options.ts";
import { age, counted, type Output, print } from "../print.ts";

/** `webhook holds`, `pause` and `resume`. */
export function holdCommands(): Command[] {
  return [
    new Command("holds")
      .description(
        "the endpoints whose events are held, because they fail or are paused: the longest first, 50 at a time, and how many wait, up to 1,000 of each",
      )
      .option("--merchant <merchant>", "only of this merchant")
      .addOption(mode().makeOptionMandatory(false))
      .addOption(new Option("--state <state>", "only in this state").choices(["held", "releasing", "paused"]))
      .option("--limit <rows>", "how many, up to 500")
      .option("--after <cursor>", "the next page, as the one before printed it")
      .addOption(json())
      .action((options: HoldsOptions) => holds(options)),
    new Command("pause")
      .argument("<merchant>")
      .description("send no more events to an endpoint: they wait, until the merchant or an operator resumes it")
      .addOption(mode())
      .addOption(reason("why; the merchant reads it in its audit log"))
      .addOption(json())
      .action((merchant: string, options: ActOptions) => act(pauseWebhookEndpointAsOperator, merchant, options)),
    new Command("resume")
      .argument("<merchant>")
      .description(
        "end a pause, also one after a restore: only once the URL and the signing secret are the merchant's; or try a held endpoint now",
      )
      .addOption(mode())
      .addOption(reason("why; the merchant reads it in its audit log"))
      .addOption(json())
      .action((merchant: string, options: ActOptions) => act(resumeWebhookEndpoint, merchant, options)),
  ];
}

type ActOptions = Output & ModeOption & { reason: string };
type Act = typeof pauseWebhookEndpointAsOperator | typeof resumeWebhookEndpoint;

const NEXT = { paused: "it is paused", held: "the oldest is tried now", releasing: "they are sent in order" };

function act(contract: Act, merchant_id: string, { mode, reason, json }: ActOptions): Promise<void> {
  return withBus(async (send) => {
    await send(showMerchant, { merchant_id });
    const { hold } = await send(contract, { merchant: { id: merchant_id, mode }, reason });
    print({ merchant_id, hold }, { json }, () =>
      hold ? `${counted(hold.waiting, "event")} waiting, and ${NEXT[hold.state]} (${mode})` : `nothing waits (${mode})`,
    );
  });
}

type Query = WireInput<typeof listWebhookHolds>;
type HoldsOptions = Output & Pick<Query, "mode" | "state" | "limit" | "after"> & { merchant?: string };

function holds({ merchant: merchant_id, json, ...query }: HoldsOptions): Promise<void> {
  return withBus(async (send) => {
    const page = await send(listWebhookHolds, { ...query, merchant_id });
    const more = page.next === null ? [] : [`More: --after ${page.next}`];
    print(page, { json }, () => [...page.data.map(lineOf), ...more].join("\n") || "No endpoint is held or paused.");
  });
}

type Listed = WireResult<typeof listWebhookHolds>["data"][number];

function lineOf({ merchant_id, mode, host, state, since, waiting, oldest_at, ...hold }: Listed): string {
  const { last_attempt: last, last_acknowledged_at, next_attempt_at, lost_change_at } = hold;
  const many = waiting < LISTED_WAITING_MAX ? `${waiting}` : `at least ${waiting}`;
  return [
    `${merchant_id} (${mode})  ${host ?? "no URL"}: ${state} for ${age(since)}`,
    oldest_at ? `${many} waiting, the oldest for ${age(oldest_at)}` : `${many} waiting`,
    ...(last ? [`whose last attempt at ${last.at} failed: ${last.status ?? last.error ?? "no answer"}`] : []),
    last_acknowledged_at ? `last acknowledged one at ${last_acknowledged_at}` : "never acknowledged one",
    ...(next_attempt_at ? [`tried next at ${next_attempt_at}`] : []),
    ...(lost_change_at ? [`paused by a restore, which may have lost its change at ${lost_change_at}`] : []),
  ].join(", ");
}
