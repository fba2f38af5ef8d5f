/** An access token and when it expires. */
export type Token = { accessToken: string; expiresInS: number };

/** A token is replaced this long before it expires, or in the last tenth of a shorter life. */
const MARGIN_MS = 60_000;

export type Tokens = {
  /** The token of the last login, until shortly before it expires; otherwise that of one new login, for all who wait. */
  get(): Promise<string>;
  /** Forgets a token that was refused, unless another call has replaced it already. */
  drop(token: string): void;
};

export function createTokens({ login, now }: { login(): Promise<Token>; now(): Promise<Date> }): Tokens {
  let current: { token: string; usedUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const began = (await now()).getTime();
    const { accessToken, expiresInS } = await login();
    const lifeMs = expiresInS * 1_000;
    current = { token: accessToken, usedUntil: began + lifeMs - Math.min(MARGIN_MS, lifeMs / 10) };
    return accessToken;
  }

  const renewal = () => {
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return pending;
  };

  return {
    async get() {
      if (current && (await now()).getTime() < current.usedUntil) return current.token;
      // A login that began earlier may have spent its time already: if it fails, that says nothing about one that begins now.
      return pending ? pending.catch(renewal) : renewal();
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
