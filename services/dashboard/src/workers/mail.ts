import { type Pool, transaction } from "@collect/database";
import { type Component, failpoint, interval, type Logger } from "@collect/runtime";
import { connectSmtp, type Smtp } from "../adapters/smtp.ts";
import type { Config } from "../config.ts";
import { enrolmentCode, spaced } from "../domain/enrolment-code.ts";
import { messageId, messageOf } from "../domain/mail-message.ts";
import { isFinal, retryAfterS } from "../domain/mail-schedule.ts";
import { isMailKind, textOf } from "../domain/mail-texts.ts";
import { newMailedLink, tokenOf } from "../domain/mailed-token.ts";
import { mailAbout, type PlannedMail } from "../domain/notices.ts";
import { insertMailedLink } from "../store/mailed-links.ts";
import { type ClaimedMail, claimMails, type Mail, markFailed, markSent, queueMails } from "../store/mails.ts";
import { takeNotices } from "../store/notices.ts";

const EVERY_MS = 1_000;
const NOTICES_A_STEP = 50;
const MAILS_A_STEP = 8;

type Deps = { pool: Pool; config: Config; log: Logger };

/**
 * Turns notices into mails and sends them. A mail is sent at least once: again, under the same Message-ID, only if the process
 * dies between the server's acceptance and the record of it. Without a mail server the notices are only deleted.
 */
export function sendMails({ pool, config, log }: Deps): Component {
  const smtp = config.SMTP_URL === undefined ? null : connectSmtp(config, config.SMTP_URL);
  const worker = interval({ name: "mail", everyMs: EVERY_MS, log }, async (signal, stepped) => {
    while (!signal.aborted && (await planMails({ pool, config, isMailed: smtp !== null })) === NOTICES_A_STEP)
      stepped();
    while (smtp && !signal.aborted) {
      const claimed = await claimMails(pool, MAILS_A_STEP);
      await Promise.all(claimed.map((mail) => send({ pool, config, log, smtp }, mail)));
      stepped();
      if (claimed.length < MAILS_A_STEP) return;
    }
  });
  return {
    ...worker,
    stop: async () => {
      await worker.stop();
      smtp?.close();
    },
  };
}

/** A notice disappears in the transaction that queues its mails. Returns how many there were. */
function planMails({ pool, config, isMailed }: { pool: Pool; config: Config; isMailed: boolean }): Promise<number> {
  return transaction(pool, async (tx) => {
    const notices = await takeNotices(tx, NOTICES_A_STEP);
    const planned = isMailed ? notices.flatMap((notice) => mailAbout(notice) ?? []) : [];
    for (const mail of planned) {
      if (!mail.confirms) continue;
      const { hash, proof } = newMailedLink(config.AUTH_SECRET, mail.occasion);
      await insertMailedLink(tx, { hash, kind: "confirm_address", ...mail.confirms });
      mail.detail = { ...mail.detail, ...proof };
    }
    await queueMails(tx, planned.flatMap(addressed));
    return notices.length;
  });
}

const addressed = ({ occasion, kind, detail, recipients }: PlannedMail): Mail[] =>
  recipients.map((recipient) => ({ occasion, recipient, kind, detail }));

/** What a mail contains and no table does. */
const secretsOf = ({ AUTH_SECRET }: Config, mail: ClaimedMail) =>
  mail.kind === "enrol_factor"
    ? { code: spaced(enrolmentCode(AUTH_SECRET[0], mail.occasion)) }
    : { token: tokenOf(AUTH_SECRET, mail) };

async function send({ pool, config, log, smtp }: Deps & { smtp: Smtp }, mail: ClaimedMail): Promise<void> {
  const { recipient, kind, detail, attempts } = mail;
  try {
    if (!isMailKind(kind)) throw new Error(`this release does not know the mail ${kind}`);
    const text = textOf(kind, { ...secretsOf(config, mail), ...detail });
    const { APP_URL } = config;
    await smtp.send({
      to: recipient,
      subject: text.subject,
      ...messageOf(text, APP_URL),
      messageId: messageId(mail, APP_URL),
    });
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const retry = isFinal(failure) ? null : retryAfterS(attempts);
    log.warn({ kind, attempts, retry_after_s: retry, err: failure }, "a mail was not sent");
    return markFailed(pool, { ...mail, retryAfterS: retry, failure: failure.message });
  }
  failpoint("posted");
  await markSent(pool, mail);
}
