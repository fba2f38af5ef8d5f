import type { KeyScope } from "@collect/contracts";

/** The scopes, and what each lets a key do. */
export const SCOPES: { value: KeyScope; label: string; may: string }[] = [
  { value: "balance", label: "balance", may: "Read your balances, and list settlements." },
  { value: "accounts", label: "accounts", may: "Issue, read and list customer accounts." },
  { value: "payments", label: "payments", may: "Create, list and cancel payment sessions." },
  { value: "collections", label: "collections", may: "Read the money received, and what settlements settled." },
  { value: "events", label: "events", may: "Read the event log, and send events to your server again." },
  { value: "transfers:read", label: "transfers:read", may: "Read transfers and the list of banks." },
  {
    value: "transfers:write",
    label: "transfers:write",
    may: "Send money, and look up account names. In live mode for owners only.",
  },
];
