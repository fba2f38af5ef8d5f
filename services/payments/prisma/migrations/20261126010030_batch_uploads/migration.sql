-- Uploads of files of transfers in the last hour, for their limit: also of files that were refused, and of those that were discarded.
-- The previous release reads and writes none of this.
create table transfer_batch_uploads (
  id          bigint generated always as identity primary key,
  merchant_id text not null,
  mode        text not null check (mode in ('test', 'live')),
  uploaded_at timestamptz(3) not null default clock_timestamp()
);
create index transfer_batch_uploads_of_merchant on transfer_batch_uploads (merchant_id, mode, uploaded_at desc);

grant select, insert, delete on transfer_batch_uploads to collect_payments;
