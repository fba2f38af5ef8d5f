import { Alert, NumberInput, type NumberInputProps } from "@mantine/core";
import { errorsByField, wordsOf } from "../../api/problem.ts";

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

/** What a form was refused for that belongs to none of its fields. */
export function FormProblem({ error, fields }: { error: unknown; fields: string[] }) {
  if (!error) return null;
  const isBesideAField = Object.keys(errorsByField(error)).some((field) => fields.includes(field));
  if (isBesideAField) return null;
  return (
    <Alert color="red" role="alert">
      {wordsOf(error)}
    </Alert>
  );
}

/** What a form sends: without the fields that were left empty. */
export function filledIn<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  const filled: Partial<Values> = { ...values };
  for (const name in filled) if (filled[name] === "" || filled[name] === null) delete filled[name];
  return filled;
}
