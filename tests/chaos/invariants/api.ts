import { until } from "@collect/testing";
import { call } from "../http.ts";
import { authorization } from "../traffic/context.ts";
import type { World } from "../world.ts";

/** Reads from the merchant API with a live key, retrying until it responds. */
export async function read(
  { stack, merchants }: World,
  merchant: number,
  path: string,
): Promise<Record<string, unknown>> {
  const headers = authorization(merchants[merchant]?.keys.sk_live ?? "");
  return until(`${path} is answered`, async () => {
    const response = await call(stack.baseUrl, { method: "GET", path, headers });
    return response && response.status < 500 && response.body;
  });
}
