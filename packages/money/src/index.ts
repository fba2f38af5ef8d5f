export {
  formatNaira,
  type Kobo,
  MAX_KOBO,
  naira,
  PAYMENT_MAX_KOBO,
  parseNaira,
  percentage,
  shareOf,
} from "./kobo.ts";
