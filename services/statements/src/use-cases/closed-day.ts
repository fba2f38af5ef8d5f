import { Problem } from "@collect/contracts";

const RESTRICTED = "23001";

/** The database's own refusal to change a closed day. Other errors stay as they are. */
export function refuseClosed(error: unknown): never {
  throw error instanceof Error && "code" in error && error.code === RESTRICTED ? dayClosed() : error;
}

export const dayClosed = () => new Problem("conflict", "The day is closed: reopen it first.");
