-- How often a reference was refused: the next order under it is another try.
create index concurrently transfers_refused_idx on transfers (merchant_id, mode, merchant_reference) where step = 'refused';
