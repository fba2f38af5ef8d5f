-- Rows of the previous release, which are read again: each refresh looks for them, and none are left soon.
create index concurrently movements_to_read_again on movements (booked_on) where kept is null and not starts_with(key, 'trf_');
