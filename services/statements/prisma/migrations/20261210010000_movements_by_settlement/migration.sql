-- A payment that was notified late finds the match of its settlement.
create index concurrently movements_account_settlement_id_idx on movements (account, settlement_id) where settlement_id is not null;
