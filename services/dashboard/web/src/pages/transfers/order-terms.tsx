import { Button, Text, TextInput } from "@mantine/core";
import { money } from "../../components/money.tsx";
import { NairaInput } from "../../components/naira-input.tsx";
import type { OrderForm } from "./order.ts";

/** How much, under which reference, and what the beneficiary reads. */
export function OrderTerms({ form, settled }: { form: OrderForm; settled: number | undefined }) {
  return (
    <>
      <NairaInput
        {...form.getInputProps("amount")}
        label="Amount"
        description={settled === undefined ? "Out of Settled" : `Settled holds ${money(settled)}`}
        withAsterisk
      />
      <TextInput
        {...form.getInputProps("reference")}
        label="Your own reference"
        description="Under one reference money is sent once only, however often you press"
        maxLength={100}
        autoComplete="off"
        withAsterisk
      />
      <TextInput
        {...form.getInputProps("narration")}
        label="Narration (optional)"
        description="The beneficiary's bank shows it"
        maxLength={100}
        dir="auto"
      />
      <Text size="sm">Nothing is sent yet: the next step shows it all once more.</Text>
      <Button type="submit">Review</Button>
    </>
  );
}
