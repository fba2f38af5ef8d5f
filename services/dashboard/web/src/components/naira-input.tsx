import { NumberInput, type NumberInputProps } from "@mantine/core";

/** An amount of naira with at most two decimals. */
export function NairaInput(props: NumberInputProps) {
  return (
    <NumberInput
      prefix="₦"
      decimalScale={2}
      thousandSeparator=","
      allowNegative={false}
      hideControls
      inputMode="decimal"
      {...props}
    />
  );
}
