import { type Pool, statement } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";

const EVERY_MS = 10 * 60_000;
const ROWS_A_PASS = 1_000;

/**
 * Deletes what is without effect: sessions a day after their end, so that the next call can still be told of it, challenges, links
 * and invitations; what test receivers received after a day, mails after a month, and browsers after a year.
 */
const deleteExpired = statement<{ deleted: number }>(`
  with expired_sessions as (
    delete from sessions where id = any (array(
      select id from sessions where expires_at < clock_timestamp() - interval '1 day' order by expires_at limit ${ROWS_A_PASS} for update skip locked)) returning 1
  ), expired_verifications as (
    delete from verifications where id = any (array(
      select id from verifications where expires_at < clock_timestamp() order by expires_at limit ${ROWS_A_PASS} for update skip locked)) returning 1
  ), expired_links as (
    delete from sign_in_links where token_hash = any (array(
      select token_hash from sign_in_links where expires_at < clock_timestamp() limit ${ROWS_A_PASS})) returning 1
  ), expired_invitations as (
    delete from invitations where id = any (array(
      select id from invitations where expires_at < clock_timestamp() - interval '30 days' limit ${ROWS_A_PASS} for update skip locked)) returning 1
  ), expired_mailed_links as (
    delete from mailed_links where token_hash = any (array(
      select token_hash from mailed_links where expires_at < clock_timestamp() limit ${ROWS_A_PASS})) returning 1
  ), old_mails as (
    delete from mails where (occasion, recipient) in (
      select occasion, recipient from mails where created_at < clock_timestamp() - interval '30 days' and due_at is null
      order by created_at limit ${ROWS_A_PASS}) returning 1
  ), old_webhooks as (
    delete from received_webhooks where id = any (array(
      select id from received_webhooks where received_at < clock_timestamp() - interval '1 day' order by received_at limit ${ROWS_A_PASS})) returning 1
  ), old_devices as (
    delete from devices where last_seen_at < clock_timestamp() - interval '1 year' returning 1
  )
  select greatest((select count(*) from expired_sessions), (select count(*) from expired_verifications), (select count(*) from old_mails),
    (select count(*) from old_webhooks))::int as deleted`);

export function cleanUp(pool: Pool, { log, everyMs = EVERY_MS }: { log: Logger; everyMs?: number }): Component {
  return interval({ name: "cleanup", everyMs, log }, async (signal) => {
    for (let pass = 0; pass < 50 && !signal.aborted; pass++) {
      const [expired] = await deleteExpired(pool);
      if ((expired?.deleted ?? 0) < ROWS_A_PASS) return;
    }
  });
}
