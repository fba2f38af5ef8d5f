-- A line returns one payout, also where a restore of statements lost for which.
create unique index concurrently transfers_returned_line_key on transfers ((returned ->> 'line')) where returned is not null;
