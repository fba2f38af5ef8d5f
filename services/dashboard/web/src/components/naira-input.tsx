import { NumberInput, type NumberInputProps } from "@mantine/core";

/** An amount of naira with at most two decimals. */
export function NairaInput(props: NumberInputProps) {
  return (
    <NumberInput
      prefix="₦"
      decimalScale={2}
      thousandSeparator=","
      // By default a comma would begin the kobo: 2,500.09 would become 2.50.
      allowedDecimalSeparators={["."]}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      {...props}
    />
  );
}

/** The typed amount as it is sent: undefined if empty. */
export const nairaOf = (typed: number | string): number | undefined => (typed === "" ? undefined : Number(typed));
