/** In kobo: ₦1,000, and ₦100. */
const [MAXIMUM, ALWAYS] = [100_000n, 10_000n];

/**
 * What operators may say that the bank kept of what the payer sent, where no partner confirms it: 5 % of it, at most ₦1,000, and up to ₦100 of any
 * amount. Most tariffs are below it (a flat fee of up to ₦54, or 1.5 %), and an amount with a wrong digit is mostly above. A bank that kept more than
 * it passed on has not kept a fee.
 */
export const feeMax = (arrived: bigint, sent: bigint): bigint => least(tariffMax(sent), arrived);

/** The least that arrives of what the payer sent, whatever such a bank kept of it. */
export const arrivedMin = (sent: bigint): bigint => most(sent - tariffMax(sent), (sent + 1n) / 2n);

const tariffMax = (sent: bigint) => most(least(sent / 20n, MAXIMUM), ALWAYS);
const least = (one: bigint, other: bigint) => (one < other ? one : other);
const most = (one: bigint, other: bigint) => (one > other ? one : other);
