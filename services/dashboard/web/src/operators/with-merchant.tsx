import type { ReactNode } from "react";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { useExactRead } from "./api.ts";

export type Merchant = { id: string; name: string };

/** What needs a merchant's name, once that was read. */
export function WithMerchant({ id, children }: { id: string; children: (merchant: Merchant) => ReactNode }) {
  const { data, error, refetch } = useExactRead("merchants/:merchant_id", { merchant_id: id });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return children({ id, name: data.name });
}
