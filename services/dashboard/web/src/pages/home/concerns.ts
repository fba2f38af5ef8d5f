import type { Mode } from "@collect/contracts";
import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { type Exposure, keyWords, lossWords, shownWords } from "../keys/exposure-words.ts";
import { waitingWords } from "../webhook/hold-words.ts";

type Exceptions = ReadResponse<"exceptions">;
type Health = Pick<ReadResponse<"webhook/health">, "url" | "unconfirmed_url" | "failing" | "exhausted" | "hold">;
type Key = Pick<ReadResponse<"keys">["keys"][number], "prefix" | "last_four" | "name" | "exposed_to">;
type Verification = Pick<ReadResponse<"verification">, "state" | "reason">;

/** An alert that needs action: what it is, its consequence for the money, and where to act. */
export type Concern = { what: string; meaning: string; action: string; path: string };

/** A new merchant is guided by Get started, and not warned about steps that come later there. */
export function useConcerns({ isNew }: { isNew: boolean }): Concern[] {
  const { mode } = useScope();
  const exceptions = useRead("exceptions").data;
  const health = useRead("webhook/health").data;
  const verification = useRead("verification").data;
  const isOwner = useMay("secret_keys");
  const keys = useRead("keys", {}, { enabled: isOwner }).data?.keys;
  const mayApprove = useMay("approvals");
  const { awaiting_approval: awaiting, files_awaiting_approval: files } =
    useRead("payouts", {}, { enabled: mayApprove }).data ?? {};
  const upcoming = useRead("payout-limits", {}, { enabled: mayApprove }).data?.upcoming;
  const secret = useRead("webhook", {}, { enabled: isOwner }).data?.exposed_to;
  return concernsOf({
    exceptions,
    awaiting,
    files,
    isLoosened: Boolean(upcoming),
    health,
    verification,
    keys,
    secret,
    isNew,
    mode,
  });
}

/** Data that has not loaded raises no concern. */
export function concernsOf(known: {
  exceptions?: Exceptions | undefined;
  /** Transfers that wait for this person's approval, or another's. */
  awaiting?: number | undefined;
  /** The same, of bulk transfers. */
  files?: number | undefined;
  /** Whether the limits on payouts will soon allow more. */
  isLoosened?: boolean;
  health?: Health | undefined;
  verification?: Verification | undefined;
  keys?: Key[] | undefined;
  /** The people who should not know the signing secret any more. */
  secret?: Exposure[] | undefined;
  isNew: boolean;
  mode: Mode;
}): Concern[] {
  const {
    exceptions,
    awaiting = 0,
    files = 0,
    isLoosened = false,
    health,
    verification,
    keys = [],
    secret = [],
    isNew,
    mode,
  } = known;
  return [
    ...(exceptions ? ofMoney(exceptions) : []),
    ...ofApprovals(awaiting),
    ...ofFiles(files),
    ...(isLoosened ? [LOOSENED] : []),
    ...ofKeys(keys),
    ...ofSecret(secret),
    ...(health ? ofWebhook(health, isNew) : []),
    ...(verification ? ofVerification(verification, isNew && mode === "test") : []),
  ];
}

function ofMoney({ quarantined, unfinished }: Exceptions): Concern[] {
  const concerns: Concern[] = [];
  if (quarantined > 0)
    concerns.push({
      what: `${counted(quarantined, 100, "incoming transfer", "incoming transfers")} on hold.`,
      meaning:
        "The bank sent conflicting reports for the same transfer. We're checking with the bank and will credit it once that is resolved.",
      action: "View collections",
      path: "collections",
    });
  if (unfinished > 0)
    concerns.push({
      what: `${counted(unfinished, 100, "payment", "payments")} delayed by more than a minute.`,
      meaning: "The money has arrived and is safe. It will be credited to your collected balance soon.",
      action: "View collections",
      path: "collections",
    });
  return concerns;
}

const LOOSENED: Concern = {
  what: "Your transfer limits are about to be raised.",
  meaning:
    "If your team didn't decide this, cancel the change and check the audit log: someone may be preparing a theft.",
  action: "View the change",
  path: "settings/payouts",
};

function ofApprovals(awaiting: number): Concern[] {
  if (awaiting === 0) return [];
  return [
    {
      what: `${awaiting === 1 ? "1 transfer waits" : `${awaiting} transfers wait`} for approval.`,
      meaning: "The money is reserved, and is sent only once a second person approves it.",
      action: "Review",
      path: "transfers?approval=required",
    },
  ];
}

function ofFiles(files: number): Concern[] {
  if (files === 0) return [];
  return [
    {
      what: `${files === 1 ? "1 bulk transfer waits" : `${files} bulk transfers wait`} for approval.`,
      meaning: "Nothing is sent, and nothing is reserved, until a second person approves it.",
      action: "Review",
      path: "transfers/bulk",
    },
  ];
}

/** One for all keys, because somebody who leaves may have made many. */
function ofKeys(keys: Key[]): Concern[] {
  const exposed = keys.filter(({ exposed_to }) => exposed_to.length > 0);
  const [key, ...others] = exposed;
  const people = new Map(exposed.flatMap(({ exposed_to }) => exposed_to.map((person) => [person.user_id, person])));
  const [person] = people.values();
  if (!key || !person) return [];
  const who = `${person.name}${people.size > 1 ? " and others" : ""}`;
  return [
    {
      what: `${who} may still know ${others.length === 0 ? keyWords(key) : `${exposed.length} of your keys`}.`,
      meaning: `${lossWords(person)}. Roll or revoke what that person could see, or decide to keep it.`,
      action: "Review keys",
      path: "developers/keys",
    },
  ];
}

function ofSecret([first, ...others]: Exposure[]): Concern[] {
  if (!first) return [];
  return [
    {
      what: `${first.name}${others.length > 0 ? " and others" : ""} may still know your webhook's signing secret.`,
      meaning: `${shownWords(first)} Anyone who has it can send your server forged events.`,
      action: "Replace it",
      path: "developers/webhook",
    },
  ];
}

function ofWebhook({ url, unconfirmed_url, failing, exhausted, hold }: Health, isNew: boolean): Concern[] {
  const concerns = ofHold(hold);
  if (unconfirmed_url)
    concerns.push({
      what: "Your webhook URL hasn't answered its challenge.",
      meaning: url
        ? "Events go to the previous URL until it does."
        : "Payments are credited, but your server isn't notified. Events are stored and can be sent later.",
      action: "View the challenge",
      path: "developers/webhook",
    });
  else if (!url && !isNew)
    concerns.push({
      what: "No webhook URL is set.",
      meaning: "Payments are credited, but your server isn't notified. Events are stored and can be sent later.",
      action: "Set webhook URL",
      path: "developers/webhook",
    });
  if (failing > 0 && !hold)
    concerns.push({
      what: `Your server did not accept ${counted(failing, 1_000, "event", "events")}.`,
      meaning:
        "Each is tried again for about 72 hours. If your server keeps failing, events are held and sent in order once it accepts one.",
      action: "View details",
      path: "developers/deliveries?status=failing",
    });
  if (exhausted > 0)
    concerns.push({
      what: `${counted(exhausted, 1_000, "event was", "events were")} not accepted in 16 attempts, over about 72 hours.`,
      meaning: hold
        ? "The payments are credited. These events will be sent again with the held ones."
        : "The payments are credited, but your server was not notified. You can resend the events.",
      action: "View and resend",
      path: "developers/deliveries?status=exhausted",
    });
  return concerns;
}

/** A release needs no action: it ends by itself. */
function ofHold(hold: Health["hold"]): Concern[] {
  if (!hold || hold.state === "releasing") return [];
  const isPaused = hold.state === "paused";
  const isLost = isPaused && Boolean(hold.lost_change_at);
  const resumed = isLost
    ? "After a restore of our records its URL or signing secret may be an earlier one. Check them, and then resume it."
    : "They are sent in order once it is resumed.";
  return [
    {
      what: isPaused ? "Your webhook is paused." : "Your server is failing, and your events are held.",
      meaning: `${waitingWords(hold.waiting)} ${isPaused ? resumed : "They are sent in order once your server accepts one."}`,
      action: "View the webhook",
      path: "developers/webhook",
    },
  ];
}

function ofVerification({ state, reason }: Verification, isNew: boolean): Concern[] {
  const path = "settings/verification";
  if (state === "returned")
    return [
      {
        what: "Your business verification needs changes.",
        meaning: reason ? `Reason: ${reason}` : "Something needs to change before we can approve it.",
        action: "Edit and resubmit",
        path,
      },
    ];
  if (state !== "draft" || isNew) return [];
  return [
    {
      what: "Your business is not verified.",
      meaning: "Test mode works now. Verify your business to accept live payments.",
      action: "Verify business",
      path,
    },
  ];
}

/** The services count up to a limit only. */
const counted = (count: number, limit: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count >= limit ? `${limit.toLocaleString("en")} or more` : count} ${many}`;
