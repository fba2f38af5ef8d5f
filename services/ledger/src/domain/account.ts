import type { MerchantScope, Mode } from "@collect/contracts";

/**
 * The natural id of a ledger account: mode, kind, and whose it is. Bank, fees and suspense are ours: one per mode and
 * stripe (a replica writes one stripe). Collected and settled are what we owe to one merchant.
 */
export type AccountId = `${Mode}:${"bank" | "fees" | "suspense" | "collected" | "settled"}:${string}`;

/** Which rows of our own accounts a replica writes. */
export type Stripe = { mode: Mode; stripe: number };

export const bank = ({ mode, stripe }: Stripe): AccountId => `${mode}:bank:${stripe}`;
export const fees = ({ mode, stripe }: Stripe): AccountId => `${mode}:fees:${stripe}`;
export const suspense = ({ mode, stripe }: Stripe): AccountId => `${mode}:suspense:${stripe}`;
export const collected = ({ mode, id }: MerchantScope): AccountId => `${mode}:collected:${id}`;
export const settled = ({ mode, id }: MerchantScope): AccountId => `${mode}:settled:${id}`;
