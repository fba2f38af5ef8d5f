import { lagosInstant } from "../lagos-time.ts";

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})(\/\d{4} )/;

/**
 * The instant of a time as Monnify writes it: `2021-11-17 11:28:42.615`, `17/11/2021 3:48:10 PM` (the day before the month) or
 * `2022-11-03T14:13:38.140+0000`; without an offset it is Lagos time. Undefined for anything else.
 */
export const monnifyInstant = (text: string): string | undefined =>
  lagosInstant(text.trim().replace(DAY_FIRST, "$2/$1$3"));
