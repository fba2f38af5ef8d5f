import { randomBytes } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import {
  browsePaymentLinks,
  createPaymentLink,
  decodeCursor,
  getPaymentLink,
  type Input,
  instantOf,
  invalidFields,
  LinkSlug,
  openLinkPayment,
  Problem,
  type PaymentLink as ShownLink,
  setPaymentLinkDisabled,
  showPaymentLink,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { z } from "zod";
import { isSameLink, type LinkTerms, linkStatus, purposeOf, slugOf, WHY_CLOSED } from "../domain/payment-link.ts";
import { aboveLimit } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { amountLimitOf } from "../store/amount-limits.ts";
import { tryToCreate } from "../store/create-session.ts";
import {
  findLink,
  findLinkByKey,
  findLinkOf,
  findLinkSession,
  insertLink,
  listLinks,
  lockLink,
  type ReadLink,
  setLinkDisabled,
} from "../store/payment-links.ts";
import type { CreateSession, SessionConfig, Try } from "../use-cases/create-session.ts";

type Deps = { config: SessionConfig; pool: Pool; lists: Pool; createSession: CreateSession };

/** Links that merchants make, and the sessions that payers create through them. */
export function paymentLinkRequests(deps: Deps): Request[] {
  const { config, pool, lists } = deps;
  const show = (link: ReadLink) => shown(link, config.CHECKOUT_URL);
  return [
    answer(createPaymentLink, async (asked) => show(await create(deps, asked))),

    answer(setPaymentLinkDisabled, async ({ merchant, slug, disabled }) =>
      show(there(await setLinkDisabled(pool, merchant, { slug: slugGiven(slug), disabled }))),
    ),

    answer(getPaymentLink, async ({ merchant, slug }) =>
      show(there(await findLinkOf(lists, merchant, slugGiven(slug)))),
    ),

    answer(browsePaymentLinks, async ({ merchant, limit, after }) => {
      const place = decodeCursor(after, [UtcInstant, z.string()]) ?? [];
      const rows = await listLinks(lists, merchant, { after: place, limit: limit + 1 });
      return toPage(rows, { limit, place: ({ createdAt, slug }) => [createdAt, slug], show });
    }),

    answer(showPaymentLink, async ({ slug: given }) => {
      const link = there(await findLink(pool, slugGiven(given)));
      const { slug, title, description, amount, mode, merchantName } = link;
      const status = linkStatus(link, link.readAt);
      return { slug, title, description, amount, status, mode, merchant_name: merchantName };
    }),

    answer(openLinkPayment, (asked, requestId) => createThroughLink(deps, asked, requestId)),
  ];
}

/** A link, once for each key: the same again is the same link, also when its time is over by then. */
async function create({ config, pool }: Deps, asked: Input<typeof createPaymentLink>): Promise<ReadLink> {
  const { merchant, key } = asked;
  const terms = termsOf(asked);
  const known = await findLinkByKey(pool, merchant, key);
  if (known) return sameLink(known, terms);
  refuseUnlikelyEnd(terms);
  const limit = await amountLimitOf(pool, merchant.id, config.AMOUNT_LIMIT);
  if (terms.amount !== null && terms.amount > limit) throw aboveLimit(limit);
  const inserted = await insertLink(pool, {
    slug: slugOf(randomBytes(16)),
    merchantId: merchant.id,
    mode: merchant.mode,
    merchantName: merchant.name,
    key,
    ...terms,
  });
  // A concurrent duplicate was first.
  return inserted ?? sameLink(there(await findLinkByKey(pool, merchant, key)), terms);
}

/** What ends later than anybody plans is a mistake, and years of five digits are none that every reader of times knows. */
const END_YEARS_MAX = 10;

function refuseUnlikelyEnd({ expiresAt }: LinkTerms): void {
  if (expiresAt === null) return;
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + END_YEARS_MAX);
  const end = Date.parse(expiresAt);
  if (end > Date.now() && end <= latest.getTime()) return;
  const message = `must be in the future, and at most ${END_YEARS_MAX} years ahead`;
  throw invalidFields([{ param: "expires_at", code: "invalid", message }]);
}

/** Times to the millisecond, as they are kept. */
const termsOf = ({ title, description, amount, expires_at, uses_max }: Input<typeof createPaymentLink>): LinkTerms => ({
  title,
  description: description?.trim() || null,
  amount: amount ?? null,
  expiresAt: expires_at === undefined ? null : instantOf(new Date(expires_at)),
  usesMax: uses_max ?? null,
});

function sameLink(known: ReadLink, terms: LinkTerms): ReadLink {
  if (isSameLink(known, terms)) return known;
  throw new Problem("reference_conflict", "This key was already used for a different payment link.");
}

async function createThroughLink(
  { pool, createSession }: Deps,
  asked: Input<typeof openLinkPayment>,
  requestId: string,
) {
  const { key, name, email } = asked;
  const link = there(await findLink(pool, slugGiven(asked.slug)));
  const amount = link.amount ?? asked.amount;
  if (amount === undefined)
    throw invalidFields([{ param: "amount", code: "required", message: "must be given: the link has no amount" }]);
  const order = {
    merchant: { id: link.merchantId, mode: link.mode, name: link.merchantName },
    amount,
    description: purposeOf(link),
    openedBy: "payment_link" as const,
    payer: { name, email },
    link: { slug: link.slug, key },
  };
  const { session, created } = await createSession(order, requestId, throughLink(order.link));
  return { session: snapshotOf(session), created };
}

/**
 * Under the lock of the link, so that of those who come at once for its last use one gets it. Who sends a page twice gets the
 * session of the first time, whatever became of the link since.
 */
const throughLink =
  ({ slug, key }: { slug: string; key: string }): Try =>
  (pool, draft) =>
    transaction(pool, async (tx) => {
      const link = there(await lockLink(tx, slug));
      const known = await findLinkSession(tx, { slug, key });
      if (known) return { outcome: "known", session: known };
      const status = linkStatus(link, link.readAt);
      if (status !== "active") throw new Problem("conflict", WHY_CLOSED[status]);
      return tryToCreate(tx, draft);
    });

function there(link: ReadLink | undefined): ReadLink {
  if (link) return link;
  throw noSuchLink();
}

/** What cannot be a slug is nobody's. */
function slugGiven(text: string): string {
  if (LinkSlug.safeParse(text).success) return text;
  throw noSuchLink();
}

const noSuchLink = () => new Problem("not_found", "There is no such payment link.");

function shown(link: ReadLink, checkoutUrl: string): ShownLink {
  return {
    slug: link.slug,
    url: `${checkoutUrl.replace(/\/$/, "")}/l/${link.slug}`,
    title: link.title,
    description: link.description,
    amount: link.amount,
    status: linkStatus(link, link.readAt),
    expires_at: link.expiresAt,
    uses_max: link.usesMax,
    uses: link.uses,
    collected: link.collected,
    created_at: link.createdAt,
    mode: link.mode,
  };
}
