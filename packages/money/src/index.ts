export { formatNaira, isKobo, type Kobo, MAX_KOBO, naira, parseNaira, percentage, shareOf } from "./kobo.ts";
