/** Live mode only, where something new is made. */
export const NOT_LIVE = ["verification_required", "merchant_suspended"] as const;
export const BANK_FAILS = ["provider_error", "provider_timeout"] as const;
