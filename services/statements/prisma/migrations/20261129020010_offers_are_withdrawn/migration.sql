-- accounts says of an offer that it will never be credited.
grant delete on offers to collect_statements;
