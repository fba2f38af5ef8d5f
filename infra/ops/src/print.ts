import { Problem } from "@collect/contracts";

export type Output = { json?: true };

/** Writes only the result to standard output: one line of JSON for programs, text for people. */
export function print(result: object, { json }: Output, text: () => string): void {
  console.log(json ? JSON.stringify(result) : text());
}

/** Naira with two decimals, from the kobo of the bus. */
export function naira(kobo: string, separator = ","): string {
  const digits = kobo.replace("-", "").padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, separator);
  return `${kobo.startsWith("-") ? "-" : ""}${whole}.${digits.slice(-2)}`;
}

/** Such as `1 line` and `2 lines`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const AGES = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
];

/** Such as `3 hours`, in the largest unit of which there are two, by this machine's clock. */
export function age(since: string, now = Date.now()): string {
  const passed = Math.max(0, (now - Date.parse(since)) / 1_000);
  const { unit, seconds } = AGES.find((each) => passed >= 2 * each.seconds) ?? { unit: "second", seconds: 1 };
  const count = Math.floor(passed / seconds);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Such as -₦1,250.00, from the naira of the bus. */
export function shown(amount: number): string {
  const text = naira(String(Math.round(amount * 100)));
  return text.startsWith("-") ? `-₦${text.slice(1)}` : `₦${text}`;
}

/** Writes the error's code and detail to standard error; the command exits with 1. */
export function printFailure(error: unknown): void {
  process.exitCode = 1;
  console.error(error instanceof Problem ? problemText(error) : error instanceof Error ? error.message : String(error));
}

function problemText({ code, detail, errors = [] }: Problem): string {
  // Runbooks name the codes of fields.
  const fields = errors.map(
    ({ param, code, message }) => `  ${param}: ${message === detail ? code : `${message} (${code})`}`,
  );
  return [`${code}: ${detail}`, ...fields].join("\n");
}
