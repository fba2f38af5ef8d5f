/** Attempts per window. Windows are short, so that an attacker cannot lock others out for long. */
export const LIMITS = {
  /**
   * Sign-in attempts to one account by all browsers that have never signed in to it. A browser that has signed in to it
   * has its own budget, so an attacker who exhausts this one does not lock out the account's user.
   */
  sign_in_account: { limit: 10, windowMs: 5 * 60_000 },
  sign_in_device: { limit: 10, windowMs: 5 * 60_000 },
  /** Attempts from one IP address, to any account. Offices and mobile networks share an address. */
  sign_in_address: { limit: 100, windowMs: 5 * 60_000 },
  sign_up_address: { limit: 20, windowMs: 60 * 60_000 },
  /** Password and code attempts of a user who is signed in, or has passed the first factor. */
  confirmation: { limit: 10, windowMs: 5 * 60_000 },
  second_factor_address: { limit: 50, windowMs: 5 * 60_000 },
  /** Tokens of links and invitations. 256 random bits cannot be guessed; this only bounds the work. */
  token_address: { limit: 60, windowMs: 5 * 60_000 },
  passkey_address: { limit: 60, windowMs: 5 * 60_000 },
  /** Mails that a stranger can have sent to an address, and one caller to any. */
  reset_account: { limit: 5, windowMs: 60 * 60_000 },
  reset_address: { limit: 30, windowMs: 60 * 60_000 },
  /** The user's own address, to confirm it. */
  confirm_user: { limit: 5, windowMs: 60 * 60_000 },
  /** Passwords given to set up a second factor, and the codes that are mailed for it. */
  enrol_user: { limit: 10, windowMs: 15 * 60_000 },
  /** What one merchant's test receiver takes: what is refused is sent again later. */
  test_receiver: { limit: 300, windowMs: 60_000 },
  businesses_user: { limit: 10, windowMs: 60 * 60_000 },
} as const;
export type LimitName = keyof typeof LIMITS;

/**
 * What a user or a team can make, counted in the rows themselves. Each business is a name towards payers, and has keys, limits
 * and challenges of its own; each invitation is a letter to somebody.
 */
export const MADE_MAX = { businesses: 20, businessesPerDay: 10, invitationsPerDay: 50 };
