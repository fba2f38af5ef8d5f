/** A delivery as a merchant's people see it: its numbers fit, and its body is shown by itself. */
export function shownDelivery<Row extends { number: bigint; sequence: bigint }>({
  body: _,
  ...row
}: Row & { body?: Buffer }) {
  return { ...row, number: Number(row.number), sequence: Number(row.sequence) };
}
