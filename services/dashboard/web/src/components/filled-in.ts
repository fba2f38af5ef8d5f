/** The values that a form sends, without empty fields. */
export function filledIn<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  const filled: Partial<Values> = { ...values };
  for (const name in filled) if (filled[name] === "" || filled[name] === null) delete filled[name];
  return filled;
}
