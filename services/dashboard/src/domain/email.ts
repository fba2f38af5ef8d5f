import { z } from "zod";

/** An address, normalized for comparison: trimmed, in lower case. */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));
