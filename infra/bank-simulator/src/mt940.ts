const DAY_MS = 86_400_000;
/** Lagos is an hour ahead of UTC, all year round. */
const LAGOS_MS = 3_600_000;

export const lagosDay = (at: Date): string => new Date(at.getTime() + LAGOS_MS).toISOString().slice(0, 10);
export const yesterday = (now: Date): string => lagosDay(new Date(now.getTime() - DAY_MS));
export const isOver = (day: string, now: Date): boolean => day < lagosDay(now);

/** What a statement shows of a line. The amount is in kobo, signed. */
type Line = {
  bookedOn: string;
  paidOn: string;
  amount: number;
  reference: string;
  sessionId: string | null;
  narration: string;
};
type Statement = { account: string; day: string; opening: number; closing: number; lines: Line[] };

/** A SWIFT statement of one day. Days are numbered without a gap, so that one that is missing shows. Narrations are not broken into lines. */
export function mt940({ account, day, opening, closing, lines }: Statement): string {
  const fields = [
    `:20:${compact(day)}`,
    `:25:${account}`,
    `:28C:${Date.parse(day) / DAY_MS}/1`,
    `:60F:${balance(opening, day)}`,
    ...lines.flatMap((line) => [`:61:${movement(line)}`, `:86:${narrated(line)}`]),
    `:62F:${balance(closing, day)}`,
  ];
  return `${fields.join("\r\n")}\r\n-\r\n`;
}

const compact = (day: string) => day.slice(2).replaceAll("-", "");
const balance = (amount: number, day: string) => `${mark(amount)}${compact(day)}NGN${naira(amount)}`;
const mark = (amount: number) => (amount < 0 ? "D" : "C");

function movement({ paidOn, bookedOn, amount, reference }: Line): string {
  return `${compact(paidOn)}${compact(bookedOn).slice(2)}${mark(amount)}${naira(amount)}NTRFNONREF//${oneLine(reference)}`;
}

const narrated = ({ reference, sessionId, narration }: Line) =>
  oneLine([narration, sessionId, reference].filter(Boolean).join(" ")).slice(0, NARRATION_MAX);
const NARRATION_MAX = 390;

const oneLine = (text: string) => text.replace(/[^\x20-\x7e]+/g, " ");

/** `2500,73` */
function naira(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, "0");
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
