import { z } from "zod";
import { Browse, browseOf, Search } from "../browse.ts";
import { Instant } from "../fields.ts";
import { request } from "../message.ts";
import { MerchantStanding, STANDINGS } from "./standing.ts";

export const browseMerchants = request({
  subject: "gateway.merchants.browse",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The merchants with their standing, newest first; found by id, or by the beginning of the name.",
  input: Browse.extend({ search: Search, standing: z.enum(STANDINGS).optional() }),
  output: browseOf(
    MerchantStanding.extend({ name: z.string(), created_at: Instant, submitted_at: Instant.nullable() }),
  ),
});
