import type { UseFormReturnType } from "@mantine/form";

/** A transfer as it is typed. */
export type Order = {
  bank_code: string;
  account_number: string;
  amount: number | string;
  reference: string;
  narration: string;
};
export type OrderForm = UseFormReturnType<Order>;
