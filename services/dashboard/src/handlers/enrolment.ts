import { randomUUID } from "node:crypto";
import { Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { deviceName } from "../domain/device-name.ts";
import { enrolmentCode, isCodeOf, spaced } from "../domain/enrolment-code.ts";
import { VALID_MINUTES } from "../domain/mails-to-users.ts";
import { clientOf } from "../http/client.ts";
import { assertConfirmed, assertMayChangeFactors, assertRecentlyAuthenticated, hasFactor } from "../http/sessions.ts";
import { noteActOfUser } from "../store/audit.ts";
import { acceptCode, awaitCode, countAttempt, permitEnrolment } from "../store/enrolments.ts";
import { queueMails } from "../store/mails.ts";
import { confirmSession } from "../store/sessions.ts";
import { assertPassword, type PersonCall, type PersonDeps } from "./person.ts";

/**
 * Before a second factor is set up the password is given again. A user without one is mailed a code besides, because the password
 * or the session may be stolen; any other has given a factor in this session. Without a mail server the code is shown.
 */
export async function beginEnrolment(deps: PersonDeps, call: PersonCall<"second-factor/begin">) {
  const { input, session, request, response } = call;
  const { config, pool } = deps;
  const isFirst = !hasFactor(session);
  if (isFirst) assertConfirmed(session, config);
  else {
    assertMayChangeFactors(session);
    assertRecentlyAuthenticated(session);
  }
  if (!session.has_password) throw new Problem("conflict", "Set a password first. You need it for this step.");
  await assertPassword(deps, { password: input.password, request, response });
  if (!isFirst) return { sent_to: null, code: null, permitted_until: await permitEnrolment(pool, session.session_id) };
  await confirmSession(pool, session.session_id, false);
  return sendCode(deps, call);
}

async function sendCode(
  { config, pool }: PersonDeps,
  { session, request, context }: PersonCall<"second-factor/begin">,
) {
  const { session_id: sessionId, user_id: userId, email: recipient } = session;
  const occasion = `enrol_factor:${sessionId}:${randomUUID()}`;
  const kind = "enrol_factor";
  const isMailed = config.SMTP_URL !== undefined;
  const { ip, user_agent } = clientOf(request);
  await transaction(pool, async (tx) => {
    await awaitCode(tx, { sessionId, occasion, validMinutes: VALID_MINUTES[kind] });
    const act = { action: "second_factor.code_sent", detail: { address: ip }, outcome: "done" as const, userId };
    await noteActOfUser(tx, { ...act, ...context });
    const detail = { at: new Date().toISOString(), ip, device: deviceName(user_agent) };
    if (isMailed) await queueMails(tx, [{ occasion, recipient, kind, detail }]);
  });
  const code = enrolmentCode(config.AUTH_SECRET[0], occasion);
  return { sent_to: isMailed ? recipient : null, code: isMailed ? null : spaced(code), permitted_until: null };
}

/** The code of this session's mail. A wrong one counts, and after a few the code is worthless. */
export async function confirmEnrolment(
  { config, pool }: PersonDeps,
  { input: { code }, session: { session_id: sessionId } }: PersonCall<"second-factor/confirm">,
) {
  const occasion = await countAttempt(pool, sessionId);
  if (!occasion) throw over();
  if (!isCodeOf(config.AUTH_SECRET, occasion, code)) throw wrong();
  const permitted_until = await acceptCode(pool, sessionId, occasion);
  if (!permitted_until) throw over();
  return { permitted_until };
}

const over = () =>
  new Problem(
    "not_found",
    "This code was already used, has expired, or was entered incorrectly too many times. Start again to get a new one.",
  );

function wrong(): Problem {
  const message = "is incorrect";
  return new Problem("validation_failed", `The code ${message}.`, {
    errors: [{ param: "code", code: "invalid", message }],
  });
}
