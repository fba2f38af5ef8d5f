/** How often something may be tried in a window. Windows are short: no attacker keeps others out for long. */
export const LIMITS = {
  /**
   * Attempts to sign in to one account by browsers that have never been in it, all together. A browser that has been in it
   * has a budget of its own, so an attacker who spends this one locks out no one who was there before.
   */
  sign_in_account: { limit: 10, windowMs: 5 * 60_000 },
  sign_in_device: { limit: 10, windowMs: 5 * 60_000 },
  /** Attempts from one address, on whichever accounts. Offices and mobile networks share one. */
  sign_in_address: { limit: 100, windowMs: 5 * 60_000 },
  sign_up_address: { limit: 20, windowMs: 60 * 60_000 },
  /** Passwords and codes that a person who is signed in, or half way, may try. */
  confirmation: { limit: 10, windowMs: 5 * 60_000 },
  second_factor_address: { limit: 50, windowMs: 5 * 60_000 },
  /** Tokens of links and invitations; 256 random bits are not guessed, this only bounds the work. */
  token_address: { limit: 60, windowMs: 5 * 60_000 },
  businesses_user: { limit: 10, windowMs: 60 * 60_000 },
} as const;
export type LimitName = keyof typeof LIMITS;
