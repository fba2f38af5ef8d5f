-- A user with a second factor has only sessions that gave it. Apart from the columns, so that no lock on the table is held.
update sessions s set second_factor = true from users u where u.id = s.user_id and u.two_factor_enabled and not s.second_factor;
