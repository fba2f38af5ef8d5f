import { answer, type Request } from "@collect/bus";
import {
  browseCustomerAccounts,
  decodeCursor,
  listCustomerAccounts,
  pageOf,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { type ListedAccount, listByAge, listByOffset, searchByName } from "../store/customer-account-lists.ts";
import { shown } from "./customer-accounts.ts";

/** Customer accounts for people: newest first, or, where something is sought, in the order of names. */
export const customerAccountLists = (pool: Pool): Request[] => [
  answer(browseCustomerAccounts, async ({ merchant, status, search, limit, after }) => {
    const page = { statuses: statusesOf(status), limit: limit + 1 };
    if (search === undefined) {
      const rows = await listByAge(pool, merchant, {
        ...page,
        after: decodeCursor(after, [UtcInstant, z.string()]) ?? [],
      });
      return toPage(rows, { limit, place: ({ created_at, id }) => [created_at, id], show });
    }
    const place = decodeCursor(after, [z.string(), z.string()]) ?? [];
    const rows = await searchByName(pool, merchant, { ...page, sought: asStored(search), after: place });
    return toPage(rows, { limit, place: ({ name, id }) => [name, id], show });
  }),

  answer(listCustomerAccounts, async ({ merchant, status, limit, offset }) => {
    const rows = await listByOffset(pool, merchant, { statuses: statusesOf(status), limit: limit + 1, offset });
    return pageOf(rows, { limit, offset, mode: merchant.mode, show: shown });
  }),
];

const statusesOf = (status: "active" | "retired" | "all"): ("active" | "retired")[] =>
  status === "all" ? ["active", "retired"] : [status];

/** Names are kept like this. */
const asStored = (name: string) => name.normalize("NFC").replace(/ +/g, " ");

const show = (account: ListedAccount) => ({ ...shown(account), retired_at: account.retired_at });
