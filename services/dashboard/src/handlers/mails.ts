import type { Call } from "../http/call.ts";
import { readMailChoice, setMailChoice } from "../store/team.ts";

/** Which of the mails about a business its member gets: those that one can do without. */

type Choice = { webhook: boolean };

export async function readMails({ deps: { pool }, member: { merchant, user_id } }: Call<unknown>): Promise<Choice> {
  return { webhook: await readMailChoice(pool, merchant.id, user_id) };
}

export async function setMails({
  deps: { pool },
  member: { merchant, user_id },
  input,
}: Call<Choice>): Promise<Choice> {
  await setMailChoice(pool, { merchantId: merchant.id, userId: user_id, webhook: input.webhook });
  return input;
}
