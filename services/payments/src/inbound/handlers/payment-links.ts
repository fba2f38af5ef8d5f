import { randomBytes } from "node:crypto";
import { answer, type Request, type Standings } from "@collect/bus";
import {
  createPaymentLink,
  getPaymentLink,
  type Input,
  instantOf,
  invalidFields,
  LinkSlug,
  openLinkPayment,
  Problem,
  type RequestContext,
  setPaymentLinkDisabled,
  showPaymentLink,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { paymentLinkOf } from "../domain/link-view.ts";
import { descriptionOf, isSameLink, type LinkTerms, linkStatus, slugOf, WHY_CLOSED } from "../domain/payment-link.ts";
import { aboveLimit } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { amountLimitOf } from "../store/amount-limits.ts";
import { brandingsOf } from "../store/business-profiles.ts";
import { lockShare } from "../store/client-share.ts";
import { tryToCreate } from "../store/create-session.ts";
import {
  findLink,
  findLinkByKey,
  findLinkOf,
  findLinkSession,
  insertLink,
  lockLink,
  type ReadLink,
  setLinkDisabled,
} from "../store/payment-links.ts";
import type { AttemptOnce, CreateSession, SessionConfig } from "../use-cases/create-session.ts";

type Deps = {
  config: SessionConfig;
  pool: Pool;
  lists: Pool;
  standings: Pick<Standings, "assertMayCreate">;
  createSession: CreateSession;
};

/** Payment links, and the sessions that payers create through them. */
export function paymentLinkRequests(deps: Deps): Request[] {
  const { config, pool, lists } = deps;
  const show = (link: ReadLink) => paymentLinkOf(link, config.CHECKOUT_URL);
  return [
    answer(createPaymentLink, async (request) => show(await create(deps, request))),

    answer(setPaymentLinkDisabled, async ({ merchant, slug, disabled }) =>
      show(required(await setLinkDisabled(pool, merchant, { slug: parseSlug(slug), disabled }))),
    ),

    answer(getPaymentLink, async ({ merchant, slug }) =>
      show(required(await findLinkOf(lists, merchant, parseSlug(slug)))),
    ),

    answer(showPaymentLink, async ({ slug: given }) => {
      const link = required(await findLink(pool, parseSlug(given)));
      const { slug, title, description, amount, mode, merchantName } = link;
      const status = linkStatus(link, link.readAt);
      const merchant = { id: link.merchantId, mode };
      const brandingOf = await brandingsOf(pool, [merchant.id]);
      return {
        slug,
        title,
        description,
        amount,
        status,
        mode,
        merchant,
        merchant_name: merchantName,
        branding: brandingOf(merchant.id),
      };
    }),

    answer(openLinkPayment, (request, context) => createThroughLink(deps, request, context)),
  ];
}

/** Creates a link once per key: the same key and terms return the same link, even after it has expired. */
async function create({ config, pool, standings }: Deps, request: Input<typeof createPaymentLink>): Promise<ReadLink> {
  const { merchant, key } = request;
  const terms = termsOf(request);
  const known = await findLinkByKey(pool, merchant, key);
  if (known) return sameLink(known, terms);
  refuseInvalidExpiry(terms);
  await standings.assertMayCreate(merchant);
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
  // A concurrent duplicate was inserted first.
  return inserted ?? sameLink(required(await findLinkByKey(pool, merchant, key)), terms);
}

/** An expiry further ahead is assumed to be a mistake; and not every date parser reads five-digit years. */
const EXPIRY_YEARS_MAX = 10;

function refuseInvalidExpiry({ expiresAt }: LinkTerms): void {
  if (expiresAt === null) return;
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + EXPIRY_YEARS_MAX);
  const end = Date.parse(expiresAt);
  if (end > Date.now() && end <= latest.getTime()) return;
  const message = `must be in the future, and at most ${EXPIRY_YEARS_MAX} years ahead`;
  throw invalidFields([{ param: "expires_at", code: "invalid", message }]);
}

/** Times to the millisecond, as they are stored. */
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
  request: Input<typeof openLinkPayment>,
  context: RequestContext,
) {
  const { key, name, email, client } = request;
  const link = required(await findLink(pool, parseSlug(request.slug)));
  const amount = link.amount ?? request.amount;
  if (amount === undefined)
    throw invalidFields([{ param: "amount", code: "required", message: "is required: the link has no amount" }]);
  const order = {
    merchant: { id: link.merchantId, mode: link.mode, name: link.merchantName },
    amount,
    description: descriptionOf(link),
    openedBy: "payment_link" as const,
    payer: { name, email },
    link: { slug: link.slug, key },
    client,
  };
  const { session, created } = await createSession(order, context, throughLink(order.link));
  return { session: snapshotOf(session), created };
}

/**
 * Runs under the lock of the link, so that of several concurrent payers only one gets its last use. A payer who
 * submits a page twice gets the session of the first submission, whatever has happened to the link since.
 */
const throughLink =
  ({ slug, key }: { slug: string; key: string }): AttemptOnce =>
  (pool, draft) =>
    transaction(pool, async (tx) => {
      const link = required(await lockLink(tx, slug));
      const known = await findLinkSession(tx, { slug, key });
      if (known) return { outcome: "known", session: known };
      const status = linkStatus(link, link.readAt);
      if (status !== "active") throw new Problem("conflict", WHY_CLOSED[status]);
      const merchant = { id: link.merchantId, mode: link.mode };
      if (draft.client !== null) await lockShare(tx, merchant, draft.client);
      return tryToCreate(tx, draft);
    });

function required(link: ReadLink | undefined): ReadLink {
  if (link) return link;
  throw noSuchLink();
}

/** Text that is not a slug cannot name a link. */
function parseSlug(text: string): string {
  if (LinkSlug.safeParse(text).success) return text;
  throw noSuchLink();
}

const noSuchLink = () => new Problem("not_found", "There is no such payment link.");
