import { z } from "zod";

/**
 * Tells the clients of a merchant apart who take slots without a secret key, by their network and without naming it. A
 * checkout of the previous release sends none; such a session counts against no client's share.
 */
export const ClientTag = z.string().min(1).max(64).optional();
