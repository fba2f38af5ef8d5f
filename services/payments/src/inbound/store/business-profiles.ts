import { type Branding, type LogoType, NO_BRANDING } from "@collect/contracts";
import { query, type Session, statement } from "@collect/database";
import type { Logo } from "../domain/logo.ts";

/** How merchants show themselves to payers. */

type Row = Omit<Branding, "logo"> & { merchant_id: string; logo_sha256: string | null };

const COLUMNS = "merchant_id, color, support_email, support_phone, logo_sha256";

const readMany = statement<Row>(`select ${COLUMNS} from business_profiles where merchant_id = any($1::text[])`);

/** What payers of each of these merchants see. */
export async function brandingsOf(tx: Session, merchantIds: string[]): Promise<(merchantId: string) => Branding> {
  const rows = await readMany(tx, [merchantIds]);
  const known = new Map(rows.map((row) => [row.merchant_id, brandingOf(row)]));
  return (merchantId) => known.get(merchantId) ?? NO_BRANDING;
}

type Image = { logo: Buffer; logo_type: LogoType };
const readOne = statement<Row & (Image | Record<keyof Image, null>)>(
  `select ${COLUMNS}, logo, logo_type from business_profiles where merchant_id = $1`,
);

export async function profileOf(tx: Session, merchantId: string): Promise<{ branding: Branding; logo: Logo | null }> {
  const [row] = await readOne(tx, [merchantId]);
  if (!row) return { branding: NO_BRANDING, logo: null };
  return { branding: brandingOf(row), logo: row.logo && { type: row.logo_type, bytes: row.logo } };
}

const upsert = statement(`
  insert into business_profiles as known (merchant_id, color, support_email, support_phone, logo, logo_type)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (merchant_id) do update
  set color = excluded.color, support_email = excluded.support_email, support_phone = excluded.support_phone,
    logo = case when $7 then known.logo else excluded.logo end,
    logo_type = case when $7 then known.logo_type else excluded.logo_type end`);

/** Replaces it. An undefined logo is kept. */
export async function setProfileOf(
  tx: Session,
  merchantId: string,
  { color, support_email, support_phone, logo }: Omit<Branding, "logo"> & { logo: Logo | null | undefined },
): Promise<void> {
  const keepsLogo = logo === undefined;
  await upsert(tx, [
    merchantId,
    color,
    support_email,
    support_phone,
    logo?.bytes ?? null,
    logo?.type ?? null,
    keepsLogo,
  ]);
}

const readLogo = query<Image>("select logo, logo_type from business_profiles where logo_sha256 = $1 limit 1");

/** A logo by the hash of its bytes: those who chose the same file have the same logo. */
export async function findLogo(tx: Session, sha256: string): Promise<Logo | undefined> {
  const [row] = await readLogo(tx, [sha256]);
  return row && { type: row.logo_type, bytes: row.logo };
}

const brandingOf = ({ color, support_email, support_phone, logo_sha256 }: Row): Branding => ({
  color,
  logo: logo_sha256 && `/logos/${logo_sha256}`,
  support_email,
  support_phone,
});
