/** What a line of a statement says of itself. */
export type NamingLine = { session_id: string | null; references: string[]; narration: string };

/** By what a line can name a payout: our ids, the session of NIP, and the account that it went to. Read as statements matches lines. */
export function namesIn({ session_id, references, narration }: NamingLine): {
  references: string[];
  sessions: string[];
  accounts: string[];
} {
  const texts = [...references, narration];
  const all = (pattern: RegExp) => [...new Set(texts.flatMap((text) => text.match(pattern) ?? []))];
  return {
    references: all(PAYOUT_ID),
    // Some banks' session ids are not the 30 digits of NIP.
    sessions: session_id === null ? [...new Set([...references, ...all(WORD)])] : [session_id],
    accounts: all(NUBAN),
  };
}

const PAYOUT_ID = /\btrf_[0-9A-Za-z]{10,60}\b/g;
const WORD = /[0-9A-Za-z]{12,100}/g;
const NUBAN = /(?<!\d)\d{10}(?!\d)/g;
