import { Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Failure } from "../components/failure.tsx";
import { Money } from "../components/money.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { type Read, useExactRead } from "./api.ts";
import { ReceivedTransfer } from "./received-transfer.tsx";

type Unallocated = Read<"exceptions">["unallocated"][number];

const READ_AFTER_MS = 300;

/** Credits money in suspense to the merchant that the operator names, whose name is shown before. */
export function AllocateTransfer({ intake_id, mode, amount_kobo, account_number }: Unallocated) {
  const [merchant, setMerchant] = useState("");
  const [customer, setCustomer] = useState("");
  const [named] = useDebouncedValue(merchant.trim(), READ_AFTER_MS);
  return (
    <ActDialog
      subject="accounts.transfer.allocate"
      label="Allocate"
      effect={
        <>
          <Money naira={Number(amount_kobo) / 100} />, paid into {account_number}, is credited to this merchant. Without
          a customer, only the merchant that owns the account can be.
        </>
      }
      inputOf={() => ({
        intake_id,
        merchant: { id: merchant.trim(), mode },
        ...(customer.trim() && { customer_reference: customer.trim() }),
      })}
    >
      <ReceivedTransfer by={{ intake_id }} mode={mode} />
      <TextInput
        label="Merchant ID"
        value={merchant}
        onChange={({ currentTarget }) => setMerchant(currentTarget.value)}
        required
        withAsterisk={false}
        data-autofocus
      />
      {named && named === merchant.trim() && <NameOf id={named} />}
      <TextInput
        label="Customer reference (optional)"
        value={customer}
        onChange={({ currentTarget }) => setCustomer(currentTarget.value)}
      />
    </ActDialog>
  );
}

/** Nothing while it is read: the form stays where it is. */
function NameOf({ id }: { id: string }) {
  const { data, error, refetch } = useExactRead("merchants/:merchant_id", { merchant_id: id });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Text size="sm" role="status">
      {data && (
        <>
          Credited to <bdi>{data.name}</bdi>.
        </>
      )}
    </Text>
  );
}
