import { readFileSync } from "node:fs";

/** One request to a webhook URL, and what a receiver must decide about it. */
export type Vector = {
  name: string;
  headers: Record<string, string>;
  /** The bytes of the body, in base64. */
  body: string;
  /** The secrets that the receiver accepts. */
  secrets: string[];
  /** The receiver's clock, in seconds since 1970. */
  now: number;
  /** How many seconds old, or ahead of the clock, a delivery may be; null accepts any age. */
  tolerance_s: number | null;
  expected: "valid" | Reason;
};

/** Why a request is refused: the same codes in every language. */
export type Reason =
  | "secret_invalid"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "timestamp_missing"
  | "timestamp_malformed"
  | "timestamp_too_old"
  | "timestamp_in_future";

export const VECTORS: Vector[] = JSON.parse(readFileSync(new URL("../vectors.json", import.meta.url), "utf8")).vectors;
