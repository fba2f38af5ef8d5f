import type { MerchantScope, Mode } from "@collect/contracts";

/**
 * The natural id of a ledger account: mode, kind, and owner. Bank, bank charges, own funds, fees and suspense are ours: one per mode and shard (a
 * replica writes one shard). Collected and settled are what we owe to one merchant; payouts is what is reserved for its
 * transfers until the bank reports their outcome.
 */
export type AccountId =
  `${Mode}:${"bank" | "bank_charges" | "own_funds" | "fees" | "suspense" | "collected" | "settled" | "payouts"}:${string}`;

/** Which rows of our own accounts a replica writes. */
export type Shard = { mode: Mode; shard: number };

export const bank = ({ mode, shard }: Shard): AccountId => `${mode}:bank:${shard}`;
export const bankCharges = ({ mode, shard }: Shard): AccountId => `${mode}:bank_charges:${shard}`;
export const ownFunds = ({ mode, shard }: Shard): AccountId => `${mode}:own_funds:${shard}`;
export const fees = ({ mode, shard }: Shard): AccountId => `${mode}:fees:${shard}`;
export const suspense = ({ mode, shard }: Shard): AccountId => `${mode}:suspense:${shard}`;
export const collected = ({ mode, id }: MerchantScope): AccountId => `${mode}:collected:${id}`;
export const settled = ({ mode, id }: MerchantScope): AccountId => `${mode}:settled:${id}`;
export const payouts = ({ mode, id }: MerchantScope): AccountId => `${mode}:payouts:${id}`;
