import { z } from "zod";

export const Code = z.string().regex(/^\d{2,4}$/, "must be a code of the bank");

/** How the next payouts are answered: the order with one code, and questions about it with another. */
export const PayoutSetting = z.object({
  order: Code,
  /** With 00 the money has left, whatever the order was answered. */
  status: Code.optional(),
  times: z.int().min(1).max(1_000_000).optional(),
});
export type PayoutSetting = z.output<typeof PayoutSetting>;

export type PayoutCodes = { set(setting: PayoutSetting): void; next(): { order: string; status: string } };

export function createPayoutCodes(): PayoutCodes {
  let setting = { order: "00", status: "00", remaining: 0 };
  return {
    set({ order, status = order, times = Number.POSITIVE_INFINITY }) {
      setting = { order, status, remaining: times };
    },
    next() {
      return setting.remaining-- > 0 ? setting : { order: "00", status: "00" };
    },
  };
}

/** The messages of the bank. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ["00", " Approved or completed successfully"],
  ["01", "Transaction does not exist"],
  ["07", "Invalid Account"],
  ["09", "Request processing in progress"],
  ["16", "Unknown Bank Code"],
  ["26", "Duplicate record"],
  ["32", "Transfer_Not_Successful"],
  ["51", "No sufficient funds"],
  ["68", "Response received too late"],
  ["91", "Beneficiary Bank not available"],
  ["94", "Duplicate transaction"],
  ["96", "System malfunction"],
  ["97", "Timeout waiting for response from destination"],
  ["7702", "Invalid credit account"],
  ["7704", "Insufficient balance"],
  ["7709", "Duplicate Reference"],
  ["8004", "Authentication Failed"],
  ["8803", "NO CONNECTION"],
]);

export const resultOf = (responseCode: string) => ({
  responseMessage: MESSAGES.get(responseCode) ?? "Error",
  responseCode,
});
