-- Asking in whose name an account stands has a budget of its own: each call is one at the bank.
alter table merchants
  add column resolves_per_hour integer not null default 60 check (resolves_per_hour > 0);
alter table rate_limit_cells
  drop constraint rate_limit_cells_budget_check,
  add constraint rate_limit_cells_budget_check check (budget in ('accounts', 'reads', 'resolves'));

-- Calls of the public routes in their windows, by session or merchant: worth nothing after a crash.
create unlogged table rate_limit_hits (
  key       text primary key,
  hits      integer not null check (hits > 0),
  resets_at timestamptz(3) not null
) with (fillfactor = 50);
create index rate_limit_hits_resets_at_idx on rate_limit_hits (resets_at);

grant select, insert, update, delete on rate_limit_hits to collect_gateway;
