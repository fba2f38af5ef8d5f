import { z } from "zod";
import { Browse, browseOf, Search, Span } from "../browse.ts";
import { Instant } from "../fields.ts";
import { TRANSFER_STATUSES, Transfer } from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

export const browseTransfers = request({
  subject: "payments.transfer.browse",
  callers: ["dashboard"],
  meaning: "Transfers of one merchant and mode, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Span.shape,
    status: z.enum([...TRANSFER_STATUSES, "all"]).default("all"),
    /** A reference, ours or the merchant's, or an account number. */
    search: Search,
  }),
  output: browseOf(Transfer),
});

export const showTransfer = request({
  subject: "payments.transfer.show",
  callers: ["dashboard"],
  meaning: "One transfer with the times of its steps.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: z.object({ transfer: Transfer, sent_at: Instant.nullable(), reversed_at: Instant.nullable() }),
});
