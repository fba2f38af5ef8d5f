-- The beginning of a merchant's response may contain personal data. It is forgotten after a while; the attempt stays.
grant update (response) on attempts to collect_webhooks;
