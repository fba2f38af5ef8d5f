import type { KeptDetails } from "@collect/contracts";
import type { ReadResponse } from "../../api/calls.ts";

export type Verification = ReadResponse<"verification">;

export type DetailName = keyof KeptDetails;

type Detail = { name: DetailName; label: string; description?: string; autoComplete?: string; type?: "email" | "tel" };

/** The form's fields, in order. */
export const DETAILS: Detail[] = [
  {
    name: "registered_name",
    label: "Registered name",
    description: "Exactly as registered with the Corporate Affairs Commission.",
    autoComplete: "organization",
  },
  {
    name: "rc_number",
    label: "Registration number",
    description: "RC, BN or IT followed by digits, for example RC 123456.",
  },
  { name: "address", label: "Business address", autoComplete: "street-address" },
  { name: "contact_name", label: "Contact name", autoComplete: "name" },
  { name: "contact_email", label: "Contact email", autoComplete: "email", type: "email" },
  { name: "contact_phone", label: "Contact phone", autoComplete: "tel", type: "tel" },
  { name: "settlement_bank_code", label: "Settlement bank" },
  { name: "settlement_account_number", label: "Settlement account number" },
];

const EMPTY: Record<DetailName, string> = {
  registered_name: "",
  rc_number: "",
  address: "",
  contact_name: "",
  contact_email: "",
  contact_phone: "",
  settlement_bank_code: "",
  settlement_account_number: "",
};

export const filled = (details: KeptDetails): Record<DetailName, string> => ({ ...EMPTY, ...details });

/** A submission has every field, so that the server reports the empty ones. */
export function trimmed(values: Record<DetailName, string>): Record<DetailName, string> {
  const submitted = { ...values };
  for (const { name } of DETAILS) submitted[name] = values[name].trim();
  return submitted;
}

/** A draft omits empty fields. */
export function typed(values: Record<DetailName, string>): KeptDetails {
  const kept: KeptDetails = trimmed(values);
  for (const { name } of DETAILS) if (kept[name] === "") delete kept[name];
  return kept;
}
