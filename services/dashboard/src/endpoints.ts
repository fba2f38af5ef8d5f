import type { z } from "zod";
import type { Composed, Declaration, Fields, Forwarded } from "./calls/declaration.ts";
import { ACTS, READS } from "./calls/merchant.ts";
import {
  JournalAccounts,
  quickBooksJournal,
  quickBooksStatement,
  XeroAccounts,
  xeroJournal,
  xeroStatement,
} from "./domain/accounting.ts";
import { listSettlementsAs } from "./handlers/accounting.ts";
import { approve, approveBatch } from "./handlers/approvals.ts";
import { findAttachable } from "./handlers/attachable.ts";
import { listAudit } from "./handlers/audit.ts";
import { listJournal, listStatement } from "./handlers/books.ts";
import { showChecklist } from "./handlers/checklist.ts";
import { assignItem, countInbox, emailOfOwner, finishItem, listInbox, reopenItem } from "./handlers/inbox.ts";
import { emailOfExposed, keepKey, listKeys, makeKeyPair, nameOfKey, revealTestKey, roll } from "./handlers/keys.ts";
import { readMails, setMails } from "./handlers/mails.ts";
import { readReceiver, setBehavior, useReceiver } from "./handlers/receiver.ts";
import { readRequestTrace } from "./handlers/requests.ts";
import { resendCollections } from "./handlers/resend-collections.ts";
import { search } from "./handlers/search.ts";
import { listSettlementLines } from "./handlers/settlement-lines.ts";
import { changeRole, emailOfInvited, emailOfMember, invite, listTeam, removeMember, revoke } from "./handlers/team.ts";
import { readCollectionTimeline, readTransferTimeline } from "./handlers/timelines.ts";
import { sendAgain } from "./handlers/transfer-again.ts";
import { challengeWebhook, getWebhook, revealSecrets, setWebhook, stageSecret } from "./handlers/webhook.ts";
import type { Call, SentCall } from "./http/call.ts";

/** A row of the API below `/api/m/:merchant/:mode`: a declared call with its request or its handler. */
export type Endpoint = {
  method: "GET" | "POST";
  path: `/${string}`;
  /** The user an act concerns, for the audit log: an id alone does not identify a member who has left. */
  subject?: Answer<Fields> | undefined;
} & (Forwarded | (Composed & { answer: Answer<unknown> }));

type Answer<Result> = (call: SentCall) => Promise<Result>;

/** The handler of every composed call, with the declared input and output. */
type Answers<Table> = {
  [Path in keyof Table as Table[Path] extends Forwarded ? never : Path]: Answer<unknown>;
};

const READ_ANSWERS: Answers<typeof READS> = {
  search: answer(READS.search, search),
  "collections/:reference/timeline": answer(READS["collections/:reference/timeline"], readCollectionTimeline),
  "collections/:reference/attachable": answer(READS["collections/:reference/attachable"], findAttachable),
  "settlements/:reference/lines": answer(READS["settlements/:reference/lines"], listSettlementLines),
  "settlements/xero-statement": (call) => listSettlementsAs(xeroStatement, call),
  "settlements/xero-journal": (call) =>
    listSettlementsAs((one, fields) => xeroJournal(one, XeroAccounts.parse(fields)), call),
  "settlements/quickbooks-statement": (call) => listSettlementsAs(quickBooksStatement, call),
  "settlements/quickbooks-journal": (call) =>
    listSettlementsAs((one, fields) => quickBooksJournal(one, JournalAccounts.parse(fields)), call),
  journal: answer(READS.journal, listJournal),
  statement: answer(READS.statement, listStatement),
  "transfers/:reference/timeline": answer(READS["transfers/:reference/timeline"], readTransferTimeline),
  keys: answer(READS.keys, listKeys),
  webhook: answer(READS.webhook, getWebhook),
  receiver: answer(READS.receiver, readReceiver),
  inbox: answer(READS.inbox, countInbox),
  "inbox/:kind": answer(READS["inbox/:kind"], listInbox),
  "requests/:id": answer(READS["requests/:id"], readRequestTrace),
  checklist: answer(READS.checklist, showChecklist),
  members: answer(READS.members, listTeam),
  mails: answer(READS.mails, readMails),
  audit: answer(READS.audit, listAudit),
};

const ACT_ANSWERS: Answers<typeof ACTS> = {
  "collections/resend": answer(ACTS["collections/resend"], resendCollections),
  "transfers/:reference/approve": answer(ACTS["transfers/:reference/approve"], approve),
  "transfers/:reference/again": answer(ACTS["transfers/:reference/again"], sendAgain),
  "inbox/:kind/:reference/owner": answer(ACTS["inbox/:kind/:reference/owner"], assignItem),
  "inbox/:kind/:reference/done": answer(ACTS["inbox/:kind/:reference/done"], finishItem),
  "inbox/:kind/:reference/reopen": answer(ACTS["inbox/:kind/:reference/reopen"], reopenItem),
  "keys/make": answer(ACTS["keys/make"], makeKeyPair),
  "keys/roll": answer(ACTS["keys/roll"], roll),
  "keys/reveal": answer(ACTS["keys/reveal"], revealTestKey),
  "transfer-batches/:reference/approve": answer(ACTS["transfer-batches/:reference/approve"], approveBatch),
  "keys/:key_id/keep": answer(ACTS["keys/:key_id/keep"], keepKey),
  webhook: answer(ACTS.webhook, setWebhook),
  "receiver/use": answer(ACTS["receiver/use"], useReceiver),
  "receiver/behavior": answer(ACTS["receiver/behavior"], setBehavior),
  "webhook/challenge": answer(ACTS["webhook/challenge"], challengeWebhook),
  "webhook/reveal": answer(ACTS["webhook/reveal"], revealSecrets),
  "webhook/rotation/stage": answer(ACTS["webhook/rotation/stage"], stageSecret),
  mails: answer(ACTS.mails, setMails),
  "members/invite": answer(ACTS["members/invite"], invite),
  "members/:user_id/role": answer(ACTS["members/:user_id/role"], changeRole),
  "members/:user_id/remove": answer(ACTS["members/:user_id/remove"], removeMember),
  "invitations/:id/revoke": answer(ACTS["invitations/:id/revoke"], revoke),
};

const SUBJECTS: Partial<Record<keyof typeof ACTS, Answer<Fields>>> = {
  "keys/:key_id/revoke": withInput(
    { input: ACTS["keys/:key_id/revoke"].request.input.pick({ key_id: true }) },
    nameOfKey,
  ),
  "keys/:key_id/keep": withInput(ACTS["keys/:key_id/keep"], emailOfExposed),
  "members/:user_id/role": withInput(ACTS["members/:user_id/role"], emailOfMember),
  "members/:user_id/remove": withInput(ACTS["members/:user_id/remove"], emailOfMember),
  "inbox/:kind/:reference/owner": withInput(ACTS["inbox/:kind/:reference/owner"], emailOfOwner),
  "invitations/:id/revoke": withInput(ACTS["invitations/:id/revoke"], emailOfInvited),
};

export const ENDPOINTS: readonly Endpoint[] = [
  ...endpointsOf("GET", READS, READ_ANSWERS),
  ...endpointsOf("POST", ACTS, ACT_ANSWERS, SUBJECTS),
];

function endpointsOf(
  method: Endpoint["method"],
  table: Record<string, Declaration>,
  answers: Record<string, Answer<unknown>>,
  subjects: Record<string, Answer<Fields> | undefined> = {},
): Endpoint[] {
  return Object.entries(table).map(([path, declared]) => {
    const row = { method, path: `/${path}`, subject: subjects[path] } as const;
    if ("request" in declared) return { ...row, ...declared };
    const composed = answers[path];
    if (!composed) throw new Error(`nothing answers ${method} ${path}`);
    return { ...row, ...declared, answer: composed };
  });
}

function answer<In extends z.ZodObject, Out extends z.ZodType>(
  declared: Composed<In, Out>,
  handler: (call: Call<z.output<In>>) => Promise<z.input<Out>>,
): Answer<z.input<Out>> {
  return withInput(declared, handler);
}

function withInput<In extends z.ZodObject, Result>(
  { input }: Pick<Composed<In>, "input">,
  handler: (call: Call<z.output<In>>) => Promise<Result>,
): Answer<Result> {
  return ({ fields, ...call }) => handler({ ...call, input: input.parse(fields) });
}
