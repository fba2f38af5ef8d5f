import { Problem } from "@collect/contracts";

/** Why a file is refused. The codes are stable: they are in `errors` of the response, beside the line of the file. */
export type FaultCode =
  | "unknown_format"
  | "too_large"
  | "too_many_lines"
  | "malformed"
  | "truncated"
  | "missing"
  | "several_sheets"
  | "invalid_date"
  | "invalid_amount"
  | "wrong_currency"
  | "wrong_account"
  | "batch_sum"
  | "running_balance"
  | "closing_balance"
  | "outside_period"
  | "unfinished_day"
  | "not_numbered";

/** A file is refused whole. `at` is the line of the file, or of the sheet; undefined if no single line is wrong. */
export function fault(code: FaultCode, message: string, at?: number): Problem {
  const param = at === undefined ? "file" : `line ${at}`;
  return new Problem("validation_failed", "The file is not a statement that can be taken.", {
    errors: [{ param, code, message }],
  });
}
