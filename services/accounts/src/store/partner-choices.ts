import { type Session, statement } from "@collect/database";

/** Merchants whose new live accounts come from another partner than the default. */
export type PartnerChoice = { merchant_id: string; partner: string; chosen_at: string };

const find = statement<{ partner: string }>("select partner from partner_choices where merchant_id = $1");
export const findChoice = async (tx: Session, merchantId: string): Promise<string | undefined> =>
  (await find(tx, [merchantId]))[0]?.partner;

const choose = statement(`
  insert into partner_choices as c (merchant_id, partner) values ($1, $2)
  on conflict (merchant_id) do update set partner = excluded.partner, chosen_at = excluded.chosen_at
    where c.partner <> excluded.partner`);
const clear = statement("delete from partner_choices where merchant_id = $1");

/** Null for the default. A repeat changes nothing. */
export async function storeChoice(tx: Session, merchantId: string, partner: string | null): Promise<void> {
  if (partner === null) await clear(tx, [merchantId]);
  else await choose(tx, [merchantId, partner]);
}

const CHOICES_MAX = 200;
const list = statement<PartnerChoice>(
  `select merchant_id, partner, chosen_at from partner_choices order by chosen_at desc, merchant_id limit ${CHOICES_MAX + 1}`,
);
/** The newest, and whether there are more. */
export async function listChoices(tx: Session): Promise<{ choices: PartnerChoice[]; has_more_choices: boolean }> {
  const rows = await list(tx);
  return { choices: rows.slice(0, CHOICES_MAX), has_more_choices: rows.length > CHOICES_MAX };
}

const chosen = statement("select from partner_choices where partner = $1 limit 1");
export const isChosen = async (tx: Session, partner: string): Promise<boolean> =>
  (await chosen(tx, [partner])).length > 0;
