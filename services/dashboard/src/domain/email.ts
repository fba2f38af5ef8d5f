import { z } from "zod";

/** An address as it is compared: trimmed, in small letters. */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));
