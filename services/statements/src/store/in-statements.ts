/** Written at a time, so that neither the memory nor the time of one statement grows with all that there is to write. */
const ROWS_A_STATEMENT = 12_500;

export function* inStatements<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) yield rows.slice(start, start + ROWS_A_STATEMENT);
}
