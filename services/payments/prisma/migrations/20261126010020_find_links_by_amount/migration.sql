-- Alone in its migration, so that it can be made while the table is written to.
create index concurrently payment_links_merchant_id_mode_amount_created_at_slug_idx
  on payment_links (merchant_id, mode, amount, created_at desc, slug desc);
