import type { z } from "zod";
import type { ACTS } from "../calls/merchant.ts";
import { nextReport } from "../domain/report-schedule.ts";
import type { Call } from "../http/call.ts";
import { type MailChoice, readMailChoice, setMailChoice } from "../store/mail-choices.ts";

/** Which of the mails about a business its member gets: those that one can do without. */

export async function readMails({ deps: { pool }, member: { merchant, user_id } }: Call<unknown>): Promise<MailChoice> {
  return readMailChoice(pool, merchant.id, user_id);
}

type Input = z.output<(typeof ACTS)["mails"]["input"]>;

export async function setMails(call: Call<Input>): Promise<MailChoice> {
  const { member, input, deps } = call;
  const { webhook, reports: every } = input;
  const reports = every === undefined ? undefined : { every, dueAt: every && nextReport(every, new Date()) };
  const whose = { merchantId: member.merchant.id, userId: member.user_id };
  await setMailChoice(deps.pool, whose, { webhook, reports });
  return readMails(call);
}
