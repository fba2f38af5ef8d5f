import { type Kobo, shareOf } from "@collect/money";

/** The fee of a merchant without a fee schedule: 1 %. */
export const DEFAULT_FEE_BASIS_POINTS = 100;

/** The fee on one incoming bank transfer, test mode too: rounded half up to the kobo, without a cap. */
export function feeOn(amount: Kobo, basisPoints: number): Kobo {
  return shareOf(amount, basisPoints);
}
