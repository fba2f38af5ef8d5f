-- How many invitations a team has sent on its last day with any (UTC), accepted and revoked ones included.
create table invitations_sent (
  merchant_id text primary key,
  day date not null,
  sent integer not null check (sent > 0)
);
grant select, insert, update on invitations_sent to collect_dashboard;
