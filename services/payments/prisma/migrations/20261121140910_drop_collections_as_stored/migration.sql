-- Nothing reads collections in the order in which they were stored any more. Alone in its migration, so that it goes without
-- keeping anybody from writing.
drop index concurrently collections_merchant_id_mode_created_at_intake_id_idx;
