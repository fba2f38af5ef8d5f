import { AccountNumber, Problem } from "@collect/contracts";
import { Agent, request } from "undici";
import { z } from "zod";
import { isNuban } from "./nuban.ts";
import type { Bank } from "./port.ts";
import { SIGNATURE_HEADER, signBody } from "./signature.ts";

export type HttpPartnerOptions = {
  /** The bank we have the contract with: an answer in another bank's name is not believed. */
  code: string;
  name: string;
  /** Where its interface stands; `/accounts` follows. */
  url: string;
  secret: string;
  /** How long one call may take in all, waiting for a connection and reading the answer included. */
  timeoutMs: number;
};

/** Enough for a burst of new customers; a bank that hangs holds no more than these. */
const CONNECTIONS = 16;
const ANSWER_BYTES_MAX = 16_384;

/** The partner bank over HTTP. Its request id makes the call safe to repeat after every Problem. */
export function createHttpPartner({ code, name, url, secret, timeoutMs }: HttpPartnerOptions): Bank {
  const base = url.replace(/\/$/, "");
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: ANSWER_BYTES_MAX });
  const Answer = z.object({
    account_number: AccountNumber.refine(
      (accountNumber) => isNuban(code, accountNumber),
      "is not an account number of the bank",
    ),
    account_name: z.string(),
    bank_code: z.literal(code),
  });

  async function post(path: string, body: string, signal: AbortSignal): Promise<unknown> {
    const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, secret) };
    const answer = await request(`${base}${path}`, { method: "POST", headers, body, signal, dispatcher });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`the partner bank answered ${answer.statusCode}`);
    return JSON.parse(text);
  }

  return {
    code,
    name,
    async issueAccount({ requestId, accountName, signal: given }) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = given ? AbortSignal.any([given, deadline]) : deadline;
      const body = JSON.stringify({ request_id: requestId, account_name: accountName });
      try {
        const answer = Answer.parse(await post("/accounts", body, signal));
        if (answer.account_name !== accountName) throw new Error("the partner bank answered with another account name");
        return { accountNumber: answer.account_number, accountName: answer.account_name };
      } catch (cause) {
        if (signal.aborted)
          throw new Problem(
            "provider_timeout",
            "The partner bank did not answer in time. It is safe to repeat the call.",
            { cause },
          );
        throw new Problem(
          "provider_error",
          "The partner bank could not issue the account. It is safe to repeat the call.",
          { cause },
        );
      }
    },
  };
}
