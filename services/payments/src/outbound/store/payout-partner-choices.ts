import { type Session, statement } from "@collect/database";

/** Merchants whose live payouts another partner than the default sends. The claim of a payout reads its own (transfer-steps.ts). */
export type PayoutPartnerChoice = { merchant_id: string; partner: string; chosen_at: string; reason: string };

const find = statement<{ partner: string }>("select partner from payout_partner_choices where merchant_id = $1");
export const findPayoutChoice = async (tx: Session, merchantId: string): Promise<string | null> =>
  (await find(tx, [merchantId]))[0]?.partner ?? null;

const choose = statement(`
  insert into payout_partner_choices as c (merchant_id, partner, reason, request_id) values ($1, $2, $3, $4)
  on conflict (merchant_id) do update set partner = excluded.partner, reason = excluded.reason, request_id = excluded.request_id,
      chosen_at = excluded.chosen_at
    where c.partner <> excluded.partner`);
const clear = statement("delete from payout_partner_choices where merchant_id = $1");

/** Null for the default. A repeat changes nothing, and keeps its reason and time. */
export async function storePayoutChoice(
  tx: Session,
  given: { merchantId: string; partner: string | null; reason: string; requestId: string },
): Promise<void> {
  const { merchantId, partner, reason, requestId } = given;
  if (partner === null) await clear(tx, [merchantId]);
  else await choose(tx, [merchantId, partner, reason, requestId]);
}

const CHOICES_MAX = 200;
const list = statement<PayoutPartnerChoice>(
  `select merchant_id, partner, chosen_at, reason from payout_partner_choices
  order by chosen_at desc, merchant_id limit ${CHOICES_MAX + 1}`,
);

/** The newest, and whether there are more. */
export async function listPayoutChoices(
  tx: Session,
): Promise<{ choices: PayoutPartnerChoice[]; has_more_choices: boolean }> {
  const rows = await list(tx);
  return { choices: rows.slice(0, CHOICES_MAX), has_more_choices: rows.length > CHOICES_MAX };
}

const missing = statement<{ count: number }>(
  "select count(*)::integer as count from payout_partner_choices where partner <> all($1)",
);

/** Merchants whose partner is none of these. */
export const countWithoutPartner = async (tx: Session, configured: string[]): Promise<number> =>
  (await missing(tx, [configured]))[0]?.count ?? 0;
