import { answer, type Request } from "@collect/bus";
import { getCheckoutSettings, setCheckoutSettings } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { checkoutSettingsOf, setCheckoutSettingsOf } from "../store/checkout-settings.ts";

/** What a merchant allows to callers with its public key. Two writers: the last one's settings stand, whole. */
export function checkoutSettingsRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(getCheckoutSettings, ({ merchant }) => checkoutSettingsOf(pool, merchant)),
    answer(setCheckoutSettings, ({ merchant, ...settings }) => {
      const hosts = [...new Set(settings.return_hosts)];
      return setCheckoutSettingsOf(pool, merchant, { ...settings, return_hosts: hosts });
    }),
  ];
}
