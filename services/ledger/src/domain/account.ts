import type { MerchantScope, Mode } from "@collect/contracts";

/**
 * The natural id of a ledger account: mode, kind, and whose it is. Bank, fees and suspense are ours: one per mode and
 * stripe (a replica writes one stripe). Collected and settled are what we owe to one merchant, payouts what we hold for its
 * transfers until the bank has said how they ended.
 */
export type AccountId = `${Mode}:${"bank" | "fees" | "suspense" | "collected" | "settled" | "payouts"}:${string}`;

/** Which rows of our own accounts a replica writes. */
export type Stripe = { mode: Mode; stripe: number };

export const bank = ({ mode, stripe }: Stripe): AccountId => `${mode}:bank:${stripe}`;
export const fees = ({ mode, stripe }: Stripe): AccountId => `${mode}:fees:${stripe}`;
export const suspense = ({ mode, stripe }: Stripe): AccountId => `${mode}:suspense:${stripe}`;
export const collected = ({ mode, id }: MerchantScope): AccountId => `${mode}:collected:${id}`;
export const settled = ({ mode, id }: MerchantScope): AccountId => `${mode}:settled:${id}`;
export const payouts = ({ mode, id }: MerchantScope): AccountId => `${mode}:payouts:${id}`;
