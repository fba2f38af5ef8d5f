import { z } from "zod";
import { BANKS, type ListedBank } from "../banks.ts";
import { nipCodeOf } from "../nip-codes.ts";
import { type CallTransfers, CodedResponse } from "./payout-call.ts";

const NipBanks = CodedResponse.extend({
  responseCode: z.literal("00"),
  banks: z.array(z.object({ bankCode: z.string() })).min(1),
});

/** Our banks that are not on NIP as Providus lists it. */
export async function unlistedBanks(call: CallTransfers): Promise<ListedBank[]> {
  const listed = await call({
    path: "/GetNIPBanks",
    read: (response) => NipBanks.parse(response).banks.map(({ bankCode }) => bankCode),
    failure: "The bank did not return its list of banks.",
  });
  return BANKS.filter(({ code }) => !listed.includes(nipCodeOf(code) ?? ""));
}
