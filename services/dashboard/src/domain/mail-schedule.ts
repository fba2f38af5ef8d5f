import { z } from "zod";

/** How long after each failed attempt a mail is tried again. After the last one it is given up. */
const RETRY_AFTER_S = [30, 120, 600, 1_800, 3_600, 4 * 3_600, 8 * 3_600, 12 * 3_600];

/** `attempts`: how many have failed. Null if the mail is given up. A link in it would have expired by then anyway. */
export function retryAfterS(attempts: number): number | null {
  return RETRY_AFTER_S[attempts - 1] ?? null;
}

const SmtpFailure = z.object({ code: z.enum(["EENVELOPE", "EMESSAGE"]), responseCode: z.int().min(500) });

/** Whether the server has refused the recipient or the message for good: RFC 5321, 4.2.1. */
export const isFinal = (failure: unknown): boolean => SmtpFailure.safeParse(failure).success;
