import { z } from "zod";
import { BANKS, type ListedBank } from "../banks.ts";
import { monnifyBankCode } from "./bank-codes.ts";
import type { Monnify } from "./client.ts";

const Listed = z.array(z.object({ code: z.string() })).max(5_000);

/** Our banks that Monnify does not list. */
export async function unlistedBanks(monnify: Monnify): Promise<ListedBank[]> {
  const failure = "Monnify did not list its banks.";
  const listed = await monnify.call({ method: "GET", path: "/api/v1/banks", schema: Listed, failure });
  const codes = new Set(listed.map(({ code }) => code));
  return BANKS.filter(({ code }) => !codes.has(monnifyBankCode(code)));
}
