-- How a merchant shows itself to payers, in both modes. The path of a logo names it by its hash, so the hash is that of the bytes.
create table business_profiles (
  merchant_id text primary key,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_email text check (length(support_email) <= 254),
  support_phone text check (length(support_phone) <= 30),
  logo bytea check (octet_length(logo) between 1 and 65536),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  logo_sha256 text generated always as (encode(sha256(logo), 'hex')) stored,
  check ((logo is null) = (logo_type is null))
);
create index business_profiles_logo_sha256_idx on business_profiles (logo_sha256);
grant select, insert, update on business_profiles to collect_payments;
