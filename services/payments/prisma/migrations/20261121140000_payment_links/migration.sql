-- Payment links, and sessions that are opened through one. The previous release makes neither; what it does to such a session
-- is counted all the same, by the trigger below.

create table payment_links (
  slug text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('test', 'live')),
  merchant_name text not null,
  key text not null,
  title text not null,
  description text,
  amount bigint check (amount > 0),
  expires_at timestamptz(3),
  uses_max integer check (uses_max > 0),
  disabled boolean not null default false,
  uses integer not null default 0 check (uses >= 0),
  uses_unpaid integer not null default 0 check (uses_unpaid >= 0),
  collected bigint not null default 0 check (collected >= 0),
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index payment_links_key_merchant_id_mode_key on payment_links (key, merchant_id, mode);
create index payment_links_merchant_id_mode_created_at_slug_idx on payment_links (merchant_id, mode, created_at desc, slug desc);

alter table sessions add column payment_link text, add column link_key text;
alter table sessions drop constraint sessions_opened_by_check;
alter table sessions add constraint sessions_opened_by_check check (opened_by in ('secret_key', 'public_key', 'payment_link')) not valid;
alter table sessions add constraint sessions_payment_link_check check (
  (opened_by = 'payment_link') = (payment_link is not null) and (payment_link is null) = (link_key is null)) not valid;

-- A use is a session that is open or received money: one that expires gives its use back, until late money takes it again.
-- One that is open and has received nothing is unpaid: it may still give its use back.
-- Counted with whatever changes a session, by whomever: reading a link costs the same after a million uses as after one.
create function count_link_use() returns trigger language plpgsql as $$
begin
  update payment_links set uses = uses + 1, uses_unpaid = uses_unpaid + 1 where slug = new.payment_link;
  return null;
end $$;
create trigger sessions_use_link after insert on sessions
  for each row when (new.payment_link is not null) execute function count_link_use();

-- Of a statement's sessions all at once, so that a link is written once, and links in one order.
create function count_link_changes() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select n.payment_link as slug, sum((n.status <> 'expired')::integer - (o.status <> 'expired')::integer) as uses,
      sum((n.status in ('pending', 'processing'))::integer - (o.status in ('pending', 'processing'))::integer) as uses_unpaid,
      sum(n.amount_received - o.amount_received) as collected
    from changed n cross join lateral (select status, amount_received from former where reference = n.reference limit 1) o
    where n.payment_link is not null
      and ((n.status <> 'expired') <> (o.status <> 'expired') or n.amount_received <> o.amount_received
        or (n.status in ('pending', 'processing')) <> (o.status in ('pending', 'processing')))
    group by n.payment_link order by n.payment_link
  loop
    update payment_links set uses = uses + change.uses, uses_unpaid = uses_unpaid + change.uses_unpaid,
      collected = collected + change.collected
    where slug = change.slug;
  end loop;
  return null;
end $$;
create trigger sessions_change_link after update on sessions
  referencing old table as former new table as changed for each statement execute function count_link_changes();

grant select, insert on payment_links to collect_payments;
grant update (disabled, uses, uses_unpaid, collected) on payment_links to collect_payments;
