import type { GetInputPropsReturnType } from "@mantine/form";
import { BankAccount, useNamedAccount } from "../../components/bank-account.tsx";

/** The settlement account. Always of live mode: it is a real account. */
export function SettlementAccount({ bank, number }: Record<"bank" | "number", GetInputPropsReturnType>) {
  const named = useNamedAccount("live", bank.value, number.value);
  return (
    <BankAccount
      mode="live"
      bank={{
        label: "Settlement bank",
        value: bank.value,
        onChange: bank.onChange,
        error: bank.error && "Choose a bank.",
      }}
      number={{
        label: "Settlement account number",
        value: number.value,
        onChange: number.onChange,
        error: number.error,
      }}
      named={named}
      lead="Ten digits. The bank confirms the account name."
    />
  );
}
