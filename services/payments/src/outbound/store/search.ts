import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { Sought } from "../../domain/sought.ts";
import {
  begins,
  beginsInAnyCase,
  hasMoreReferences,
  LISTED,
  MAX,
  OWN,
  ofAmounts,
  ofMetadata,
  ofReferences,
  searchOf,
  wordBegins,
} from "../../store/search-terms.ts";
import type { Transfer } from "../domain/transfer.ts";

export type FoundTransfer = Pick<
  Transfer,
  "reference" | "merchantReference" | "accountName" | "nameWithheld" | "amount" | "status" | "createdAt"
>;

/** Transfers whose money is or was reserved, as in their list. A withheld name finds nothing, even where its initials are shown. */
const VISIBLE = `${OWN} and step not in ('created', 'refused')`;
const NAMED = `${VISIBLE} and not name_withheld`;

const found = (max: string) => `
    (select reference, created_at from (${ofReferences("transfers", VISIBLE, max)}) as own)
    union (select reference, created_at from transfers where ${VISIBLE} and ${begins("merchant_reference", max)})
    union (select reference, created_at from transfers where ${VISIBLE} and account_number = $3
      order by created_at desc, reference desc ${max})
    union (select reference, created_at from transfers where ${NAMED} and ${beginsInAnyCase("account_name", max)})
    union (select reference, created_at from transfers where ${NAMED} and ${wordBegins("account_name", 2, max)})
    union ${ofAmounts("transfers", { from: "$4", to: "$5", where: VISIBLE, newest: ["created_at", "reference"] }, max)}
    union ${ofMetadata("transfers", "reference", max)}`;

const transfers = query<FoundTransfer>(`
  with found as (${found(MAX)})
  select reference, merchant_reference as "merchantReference", account_name as "accountName", name_withheld as "nameWithheld",
    amount, status, created_at as "createdAt"
  from transfers where ${VISIBLE} and reference in (select reference from found order by created_at desc, reference desc ${MAX})
  order by created_at desc, reference desc`);

const parametersOf = ({ id, mode }: MerchantScope, { text, amounts }: Sought) => [
  ...[id, mode, text],
  ...[amounts?.from, amounts?.to],
];

/** The few newest transfers for a text, for the dashboard's search. */
export const findTransfers = (pool: Pool, merchant: MerchantScope, sought: Sought): Promise<FoundTransfer[]> =>
  transfers(pool, parametersOf(merchant, sought));

const ofList = searchOf(found(LISTED), {
  key: "reference",
  newest: "created_at desc, reference desc",
  isCut: hasMoreReferences("transfers"),
});

/** The same for their list. */
export const searchTransfers = (pool: Pool, merchant: MerchantScope, sought: Sought) =>
  ofList(pool, parametersOf(merchant, sought));
