import type { Part } from "./statement.ts";

type Named = Pick<Part, "amount" | "references" | "sessionId" | "narration">;

/** In kobo: banks take ₦54 for a transfer, with its VAT, and some show that with the ids of the transfer. */
export const FEE_MAX = 10_000n;

/**
 * Whether a line, or a part of one, is what the bank charges for itself: it leaves the account, and its narration has one of these words, whole.
 * Payers and merchants write in narrations, too: what names a transfer, and is more than a fee, is that transfer, or takes it back, whatever its words.
 */
export function chargesBy(words: string[]): (line: Named) => boolean {
  const spaced = words.map(spacedWords);
  return ({ amount, references, sessionId, narration }) => {
    const namesTransfer = sessionId !== null || references.some((id) => id.startsWith("trf_"));
    if (amount >= 0n || (namesTransfer && amount < -FEE_MAX)) return false;
    const said = spacedWords(narration);
    return spaced.some((word) => said.includes(word));
  };
}

/** With a space on both sides of each: what is between letters and digits does not count. */
const spacedWords = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
