import { answer, type Bus, type Consumer, consumeByStatement, type Epochs, type Request } from "@collect/bus";
import {
  attachCollection,
  attachmentRecorded,
  getCustomerAccount,
  type Input,
  invalidFields,
  isReferenceOf,
  listAttachable,
  Problem,
} from "@collect/contracts";
import { type Pool, readClock, transaction } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import { isStorable } from "../../domain/page.ts";
import { soughtOf } from "../../domain/sought.ts";
import { attachedKey, keepEventNumbers } from "../../store/event-numbers.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { Announce } from "../adapters/announcements.ts";
import { publishAttached } from "../adapters/attachments.ts";
import { type Candidate, candidateOf, ranked } from "../domain/attachable.ts";
import { collectionOf } from "../domain/collection-view.ts";
import type { PaymentSession } from "../domain/session.ts";
import { nameOf } from "../domain/session-view.ts";
import { markAttachmentsRecorded, unpaidSessionsAround } from "../store/attachments.ts";
import { findCollection } from "../store/collection-lists.ts";
import { findSessions } from "../store/search.ts";
import { readSessionsOf } from "../store/sessions.ts";
import { attach, type Target } from "../use-cases/attach-collection.ts";

type Deps = {
  pool: Pool;
  lists: Pool;
  prisma: PrismaClient;
  bus: Bus;
  log: Logger;
  announce: Announce;
  epochs: Pick<Epochs, "assertCurrent">;
};

/** Money that matched nothing: what it may be for, and whose a person says that it is. */
export function attachmentRequests(deps: Deps): Request[] {
  const { pool, prisma, epochs, announce } = deps;
  return [
    answer(listAttachable, async ({ merchant, reference, text }) => {
      const money = isStorable(reference) ? await findCollection(prisma, merchant, reference) : undefined;
      if (!money) throw new Problem("not_found", "There is no such collection.");
      const sessions = await sessionsFor(deps, { merchant, text, paidAt: money.paidAt });
      const now = (await readClock(pool)).toISOString();
      const candidates = sessions.map((session) => candidateOf(session, money, now));
      // What was asked for is shown even if it takes no money.
      const shown = text === undefined ? candidates.filter(({ after }) => after !== null) : candidates;
      return { sessions: ranked(shown, money).slice(0, SHOWN_MAX).map(toCandidate), payer_name: money.payerName };
    }),

    answer(attachCollection, async (input, context) => {
      // What this collection was attached to may be lost, and not recovered yet.
      epochs.assertCurrent();
      const { merchant, reference } = input;
      const target = await targetOf(deps, input, context);
      if (!isStorable(reference)) throw new Problem("not_found", "There is no such collection.");
      const by = context.actor.kind === "anonymous" ? null : context.actor;
      const attached = await transaction(pool, (tx) => attach(tx, { merchant, reference, target, by }));
      if (attached.isNew) {
        failpoint("committed");
        await tryToPublish(deps, attached.intakeId);
      } else if (attached.session) announce([attached.session]);
      const collection = await findCollection(prisma, merchant, reference);
      if (!collection) throw new Error(`collection ${reference} is attached and not found`);
      return { collection: collectionOf(collection), session: attached.session && toSession(attached.session) };
    }),
  ];
}

/** The worker publishes it again until webhooks has recorded it, whether or not it was published here. */
async function tryToPublish(deps: Deps, intakeId: string): Promise<void> {
  await publishAttached(deps, [intakeId]).catch((error) =>
    deps.log.warn({ intake_id: intakeId, err: error }, "an attached collection could not be published"),
  );
}

async function targetOf(
  { bus }: Deps,
  { merchant, payment_reference, customer_reference }: Input<typeof attachCollection>,
  context: Parameters<Bus["request"]>[2],
): Promise<Target> {
  if ((payment_reference === undefined) === (customer_reference === undefined))
    throw invalidFields([
      { param: "payment_reference", code: "invalid", message: "name a payment session or a customer, and not both" },
    ]);
  if (customer_reference !== undefined)
    return { customer: await bus.request(getCustomerAccount, { merchant, customer_reference }, context) };
  if (payment_reference !== undefined && isReferenceOf("pay", payment_reference)) return { payment_reference };
  throw new Problem("not_found", "There is no such payment.");
}

/** As many as a person looks through. */
const SHOWN_MAX = 8;

type Asked = Pick<Input<typeof listAttachable>, "merchant" | "text"> & { paidAt: string };

async function sessionsFor({ lists }: Deps, { merchant, text, paidAt }: Asked): Promise<PaymentSession[]> {
  if (text === undefined) return unpaidSessionsAround(lists, merchant, paidAt);
  const sought = soughtOf(text);
  const found = sought ? await findSessions(lists, merchant, sought) : [];
  return readSessionsOf(
    lists,
    found.map(({ reference }) => reference),
  );
}

const toSession = ({ reference, status, amount, amountReceived }: PaymentSession) => ({
  ...{ reference, status, amount },
  amount_received: amountReceived,
});

function toCandidate({ session, after }: Candidate) {
  const { merchantReference, createdAt } = session;
  return {
    ...toSession(session),
    ...{ merchant_reference: merchantReference, name: nameOf(session), created_at: createdAt },
    after: after && { status: after.status, missing: above(after, -1n), excess: above(after, 1n) },
  };
}

/** How much more than asked for arrived, or with -1 less; zero if it is the other way round. */
function above({ amount, amountReceived }: PaymentSession, sign: bigint): bigint {
  const difference = sign * (amountReceived - amount);
  return difference > 0n ? difference : 0n;
}

/** The merchants' events about attached collections are recorded: their numbers are kept, and they are not published again. */
export const acceptRecordedAttachments = (): Consumer =>
  consumeByStatement(attachmentRecorded, { batchMax: 300 }, async ({ tx }, recorded) => {
    await keepEventNumbers(
      tx,
      recorded.map(({ intakeId, ...event }) => ({ ...event, key: attachedKey(intakeId) })),
    );
    await markAttachmentsRecorded(
      tx,
      recorded.map(({ intakeId }) => intakeId),
    );
  });
