-- Several partners issue accounts at once. The previous release issues only at the partner of the BANK_… settings and stores
-- none: an account without a partner is that one's, or one of test mode.
alter table customer_accounts add column partner text;
alter table collection_accounts add column partner text;

-- A customer keeps its account: which partner holds it is decided before the number is known, and never changes afterwards.
create function keep_partner() returns trigger language plpgsql as $$
begin
  raise exception 'an issued account keeps its partner' using errcode = 'restrict_violation';
end $$;
create trigger customer_accounts_partner before update of partner on customer_accounts for each row
  when (old.account_number is not null and old.partner is distinct from new.partner) execute function keep_partner();
create trigger collection_accounts_partner before update of partner on collection_accounts for each row
  when (old.account_number is not null and old.partner is distinct from new.partner) execute function keep_partner();

-- Merchants whose new accounts come from another partner than the default.
create table partner_choices (
  merchant_id text primary key,
  partner text not null,
  chosen_at timestamptz(3) not null default clock_timestamp()
);
create index partner_choices_partner_chosen_at_idx on partner_choices (partner, chosen_at desc);

grant select, insert, update, delete on partner_choices to collect_accounts;
