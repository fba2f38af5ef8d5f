import { Problem } from "@collect/contracts";
import type { PartnerCheck } from "./port.ts";

/** The check that this attempt is: it gives what to say about it, and fails with the detail of a Problem. */
export async function checked(name: string, attempt: () => Promise<string>): Promise<PartnerCheck> {
  try {
    return { name, isOk: true, detail: await attempt() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { name, isOk: false, detail: error.detail };
  }
}
