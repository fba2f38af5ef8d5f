import type { CheckoutSettings, MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { DEFAULT_SETTINGS } from "../domain/public-call.ts";

const COLUMNS = "return_hosts, public_descriptions";

const find = statement<CheckoutSettings>(
  `select ${COLUMNS} from checkout_settings where merchant_id = $1 and mode = $2`,
);

export async function checkoutSettingsOf(tx: Session, { id, mode }: MerchantScope): Promise<CheckoutSettings> {
  const [settings] = await find(tx, [id, mode]);
  return settings ?? DEFAULT_SETTINGS;
}

const set = statement<CheckoutSettings>(`
  insert into checkout_settings (merchant_id, mode, return_hosts, public_descriptions) values ($1, $2, $3, $4)
  on conflict (merchant_id, mode) do update
  set return_hosts = excluded.return_hosts, public_descriptions = excluded.public_descriptions
  returning ${COLUMNS}`);

export async function setCheckoutSettingsOf(
  tx: Session,
  { id, mode }: MerchantScope,
  { return_hosts, public_descriptions }: CheckoutSettings,
): Promise<CheckoutSettings> {
  const [stored] = await set(tx, [id, mode, return_hosts, public_descriptions]);
  if (!stored) throw new Error("an upsert always returns a row");
  return stored;
}
