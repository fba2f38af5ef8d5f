import { Button, Text, TextInput } from "@mantine/core";
import { money } from "../../components/money.tsx";
import { NairaInput } from "../../components/naira-input.tsx";
import type { OrderForm } from "./order.ts";

/** The amount, the reference and the narration. */
export function OrderTerms({ form, settled }: { form: OrderForm; settled: number | undefined }) {
  return (
    <>
      <NairaInput
        {...form.getInputProps("amount")}
        label="Amount"
        description={settled === undefined ? "From your settled balance" : `Available: ${money(settled)}`}
        withAsterisk
      />
      <TextInput
        {...form.getInputProps("reference")}
        label="Your reference"
        description="Each reference sends money only once"
        maxLength={100}
        autoComplete="off"
        withAsterisk
      />
      <TextInput
        {...form.getInputProps("narration")}
        label="Narration (optional)"
        description="Shown by the beneficiary's bank"
        maxLength={100}
        dir="auto"
      />
      <Text size="sm">You can review everything in the next step before it is sent.</Text>
      <Button type="submit">Review</Button>
    </>
  );
}
