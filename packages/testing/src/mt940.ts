/** A line of a bank's statement. The amount is in kobo, negative for what was debited; the reference is the bank's own. */
export type StatementLine = { amount: bigint; narration?: string; reference?: string };

export type Statement = {
  account: string;
  day: string;
  number: number | string;
  opening: bigint;
  lines: StatementLine[];
  /** If it is not what the lines lead to. */
  closing?: bigint;
  /** The bank goes on with it later. */
  isInterim?: boolean;
};

/** The statement of a day as a bank sends it by SWIFT. */
export function mt940({ account, day, number, opening, lines, isInterim = false, ...given }: Statement): string {
  const date = day.slice(2).replaceAll("-", "");
  const balance = (amount: bigint) => `${mark(amount)}${date}NGN${naira(amount)}`;
  const fields = lines.flatMap(({ amount, narration, reference }) => [
    `:61:${date}${date.slice(2)}${mark(amount)}${naira(amount)}NTRFNONREF${reference ? `//${reference}` : ""}`,
    ...(narration === undefined ? [] : [`:86:${narration}`]),
  ]);
  const { closing = lines.reduce((total, { amount }) => total + amount, opening) } = given;
  const head = [`:20:S${number}`, `:25:${account}`, `:28C:${number}`, `:60F:${balance(opening)}`];
  return [...head, ...fields, `:${isInterim ? "62M" : "62F"}:${balance(closing)}`].join("\n");
}

const mark = (kobo: bigint) => (kobo < 0n ? "D" : "C");

/** `2500,73` */
function naira(kobo: bigint): string {
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, "0");
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
