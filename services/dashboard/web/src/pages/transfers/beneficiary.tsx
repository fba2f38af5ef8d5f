import type { UseQueryResult } from "@tanstack/react-query";
import { useScope } from "../../api/scope.ts";
import { BankAccount, type NamedAccount } from "../../components/bank-account.tsx";
import type { OrderForm } from "./order.ts";
import { SavedBeneficiaries } from "./saved-beneficiaries.tsx";
import { TEST_BANK_CODE, TestAccounts } from "./test-accounts.tsx";

/** The beneficiary's account. */
export function Beneficiary({ form, named }: { form: OrderForm; named: UseQueryResult<NamedAccount> }) {
  const { mode } = useScope();
  const { bank_code, account_number } = form.values;
  const change = (changed: { bank_code?: string; account_number?: string }) => {
    form.setValues(changed);
    form.clearFieldError("account_number");
  };
  return (
    <>
      <SavedBeneficiaries account={form.values} named={named.data} onUse={change} />
      <BankAccount
        mode={mode}
        bank={{
          label: "Bank",
          value: bank_code,
          onChange: (code) => change({ bank_code: code }),
          error: form.errors.bank_code,
        }}
        number={{
          label: "Account number",
          value: account_number,
          onChange: (number) => change({ account_number: number }),
          error: form.errors.account_number,
        }}
        named={named}
        withAsterisk
        lead="The bank confirms the account name before you can send."
      />
      {mode === "test" && (
        <TestAccounts onUse={(number) => change({ bank_code: TEST_BANK_CODE, account_number: number })} />
      )}
    </>
  );
}
