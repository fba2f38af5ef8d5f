-- Since when a partner has said of a payout that it came back, and answers that it was paid: until then it is asked again. Null unless one
-- does. The previous release neither reads nor writes it.
alter table transfers add column review_since timestamptz(3);
