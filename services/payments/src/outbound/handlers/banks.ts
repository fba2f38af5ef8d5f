import { answer, type Request } from "@collect/bus";
import { listBanks, resolveAccount as resolveAccountRequest } from "@collect/contracts";
import { banksOf } from "../domain/banks.ts";
import { type Banks, resolveAccount } from "../use-cases/resolve-account.ts";

export function bankRequests({ banks }: { banks: Banks }): Request[] {
  return [
    answer(listBanks, async ({ merchant: { mode } }) => ({ data: [...banksOf(mode)], mode })),
    answer(resolveAccountRequest, async ({ merchant: { mode }, bank_code, account_number }) => ({
      bank_code,
      account_number,
      mode,
      ...(await resolveAccount(banks, mode, { bank_code, account_number })),
    })),
  ];
}
