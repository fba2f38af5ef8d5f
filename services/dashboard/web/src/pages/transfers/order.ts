import type { UseFormReturnType } from "@mantine/form";

/** A transfer order as typed into the form. */
export type Order = {
  bank_code: string;
  account_number: string;
  amount: number | string;
  reference: string;
  narration: string;
};
export type OrderForm = UseFormReturnType<Order>;
