import type { KeyScope } from "@collect/contracts";

/** The scopes, and what each lets a key do. */
export const SCOPES: { value: KeyScope; label: string; may: string }[] = [
  { value: "balance", label: "balance", may: "Read balances, and list settlements." },
  { value: "accounts", label: "accounts", may: "Issue, read and list customer accounts." },
  {
    value: "payments",
    label: "payments",
    may: "Create, list and cancel payment sessions, and issue accounts to the customers that they name.",
  },
  { value: "collections", label: "collections", may: "Read collections, and the collections of each settlement." },
  { value: "events", label: "events", may: "Read events, and resend them to your server." },
  { value: "transfers:read", label: "transfers:read", may: "Read transfers and the list of banks." },
  {
    value: "transfers:write",
    label: "transfers:write",
    may: "Send money, and look up account names. In live mode, only owners can choose this.",
  },
];
