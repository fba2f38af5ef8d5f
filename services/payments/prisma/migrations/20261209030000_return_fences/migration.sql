-- Which line statements is asked to keep for the return of a payout, by which act: stored before, so that it can be taken back while the act is in
-- progress or dead. Null unless one is. The previous release neither reads nor writes it.
alter table transfers add column return_fence jsonb;
