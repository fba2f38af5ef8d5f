import { decodeCursor, notFound, Problem, toPage } from "@collect/contracts";
import { z } from "zod";
import type { INBOX_ACTS, INBOX_READS } from "../calls/inbox.ts";
import { endsByItself, INBOX_KINDS, type InboxKind } from "../domain/inbox.ts";
import { unlessRefused } from "../domain/unless-refused.ts";
import type { Call } from "../http/call.ts";
import { type InboxState, listDone, readStates, setDone, setOpen, setOwner } from "../store/inbox.ts";
import { findMemberEmail } from "../store/team.ts";
import { SOURCES, type Sourced } from "../use-cases/inbox-sources.ts";

type Calling = Omit<Call<unknown>, "input">;
type Input<Declared extends { input: z.ZodType }> = z.output<Declared["input"]>;

const PAGE = 50;
/** Pages of a source that one call reads, because what is done is among them. The next call goes on where this one ended. */
const PAGES_MAX = 5;

const UNTOUCHED = { owner: null, done: null };

export async function countInbox(call: Call<unknown>) {
  const kinds = await Promise.all(
    INBOX_KINDS.map(async (kind) => {
      const page = await unlessRefused(openItems(call, kind));
      return { kind, count: page?.data.length ?? null, has_more: Boolean(page?.next) };
    }),
  );
  return { kinds };
}

export function listInbox(call: Call<Input<(typeof INBOX_READS)["inbox/:kind"]>>) {
  const { kind, state, after } = call.input;
  return state === "done" ? doneItems(call, kind, after) : openItems(call, kind, after);
}

/** What is not done, the newest first: at least one of them, unless there is a `next` to look further or nothing is left. */
async function openItems(call: Calling, kind: InboxKind, after?: string) {
  const { deps, member } = call;
  let next: string | null | undefined = after;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await SOURCES[kind].list(call, { limit: String(PAGE), ...(next && { after: next }) });
    const references = page.data.map(({ reference }) => reference);
    const states = await readStates(deps.pool, member.merchant, { kind, references });
    const data = page.data
      .map((item) => toItem(kind, item, states.get(item.reference)))
      .filter(({ done }) => done === null);
    next = page.next;
    if (data.length > 0 || next === null) return { data, next };
  }
  return { data: [], next: next ?? null };
}

const Cursor = [z.iso.datetime({ offset: true }), z.string()];

async function doneItems({ deps, member }: Calling, kind: InboxKind, cursor: string | undefined) {
  const after = decodeCursor(cursor, Cursor);
  const rows = await listDone(deps.pool, member.merchant, { kind, after, limit: PAGE + 1 });
  return toPage(rows, {
    limit: PAGE,
    cursor: ({ done, reference }) => [done.at, reference],
    toResponse: (state) => toItem(kind, { ...NOT_READ, reference: state.reference }, state),
  });
}

const NOT_READ = {
  ...{ amount: null, amount_received: null, name: null, reason: null, failure_code: null },
  ...{ count: null, at: null },
};

const toItem = (kind: InboxKind, item: Sourced, { owner, done }: Omit<InboxState, "reference"> = UNTOUCHED) => ({
  kind,
  ...item,
  owner,
  done,
});

export async function assignItem(call: Call<Input<(typeof INBOX_ACTS)["inbox/:kind/:reference/owner"]>>) {
  const { kind, reference, user_id: userId } = call.input;
  await assertListed(call, kind, reference);
  const { merchant } = call.member;
  if (!(await setOwner(call.deps.pool, merchant, { kind, reference, userId }))) throw notFound();
  return stateOf(call, kind, reference);
}

export async function finishItem(call: Call<Input<(typeof INBOX_ACTS)["inbox/:kind/:reference/done"]>>) {
  const { kind, reference, note } = call.input;
  if (endsByItself(kind))
    throw new Problem("conflict", "This can't be marked as done. It leaves the Inbox once it is resolved.");
  await assertListed(call, kind, reference);
  const { merchant, user_id: userId } = call.member;
  await setDone(call.deps.pool, merchant, { kind, reference, userId, note });
  return stateOf(call, kind, reference);
}

export async function reopenItem(call: Call<Input<(typeof INBOX_ACTS)["inbox/:kind/:reference/reopen"]>>) {
  const { kind, reference } = call.input;
  await assertListed(call, kind, reference);
  await setOpen(call.deps.pool, call.member.merchant, { kind, reference });
  return stateOf(call, kind, reference);
}

/** Who is to take care of it, for the audit log. */
export async function emailOfOwner({
  deps: { pool },
  member: { merchant },
  input,
}: Call<Input<(typeof INBOX_ACTS)["inbox/:kind/:reference/owner"]>>) {
  const email = input.user_id === null ? undefined : await findMemberEmail(pool, merchant.id, input.user_id);
  return { ...(email && { email }) };
}

/** Only what a service has of this merchant gets a row. */
async function assertListed(call: Calling, kind: InboxKind, reference: string): Promise<void> {
  if (!(await SOURCES[kind].has(call, reference))) throw notFound();
}

async function stateOf({ deps, member }: Calling, kind: InboxKind, reference: string) {
  const states = await readStates(deps.pool, member.merchant, { kind, references: [reference] });
  const { owner, done } = states.get(reference) ?? UNTOUCHED;
  return { owner, done };
}
