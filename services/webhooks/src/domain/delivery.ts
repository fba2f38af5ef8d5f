/** A delivery in a response: numbers instead of bigint, and without the body, which is a field of its own. */
export function toDeliveryResponse<Row extends { number: bigint; sequence: bigint }>({
  body: _,
  ...row
}: Row & { body?: Buffer }) {
  return { ...row, number: Number(row.number), sequence: Number(row.sequence) };
}
