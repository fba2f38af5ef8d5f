-- Merchants whose live payouts another partner than the default sends. The previous release does not read it, and sends them by the default.
create table payout_partner_choices (
  merchant_id text primary key,
  partner     text not null,
  reason      text not null,
  chosen_at   timestamptz(3) not null default clock_timestamp(),
  request_id  text not null default ''
);

grant select, insert, update, delete on payout_partner_choices to collect_payments;
