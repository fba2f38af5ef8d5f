-- Lines are numbered by the clock (store/statements.ts): a restored database gives no number again that a lost line had.
grant usage, update on sequence lines_id_seq to collect_statements;
