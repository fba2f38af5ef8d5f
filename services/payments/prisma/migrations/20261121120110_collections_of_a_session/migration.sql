-- Built without keeping anybody from writing; alone in its migration, because nothing may stand beside it.
create index concurrently collections_payment_reference_idx on collections (payment_reference) where payment_reference is not null;
