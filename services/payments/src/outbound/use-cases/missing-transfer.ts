import type { Epochs } from "@collect/bus";
import { Problem } from "@collect/contracts";

/**
 * Refuses as not found. A merchant sends a transfer again that is said not to exist, perhaps under another reference, so a
 * recovering database must not say that of a transfer that it has lost.
 */
export function missingTransfer(epochs: Epochs): never {
  epochs.assertCurrent();
  throw new Problem("not_found", "There is no such transfer.");
}
