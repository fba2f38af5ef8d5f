import { answer, type Bus, serveRequests } from "@collect/bus";
import { type MerchantStanding, Problem, readStandings, type ServiceName } from "@collect/contracts";
import type { Logger } from "@collect/runtime";

/** The gateway as the other services see it: the standing of merchants. */
export type Merchants = {
  /** From now on the merchant has this standing. Every other merchant is verified. */
  stand(merchantId: string, standing: MerchantStanding["standing"], verified?: boolean): void;
  /** The merchants of each question, in order. */
  asked: string[][];
  /** While it is set, the gateway answers nobody. */
  isDown: boolean;
};

export async function startMerchants(others: Bus, service: ServiceName, log: Logger): Promise<Merchants> {
  const standings = new Map<string, MerchantStanding>();
  const merchants: Merchants = {
    stand(merchant_id, standing, verified = standing === "verified") {
      const suspension = standing === "suspended" ? { reason: "Under review", since: SINCE } : null;
      standings.set(merchant_id, { merchant_id, standing, verified, suspension });
    },
    asked: [],
    isDown: false,
  };
  const read = answer(readStandings, async ({ merchant_ids }) => {
    merchants.asked.push(merchant_ids);
    if (merchants.isDown) throw new Problem("service_unavailable", "The gateway is down.");
    return { standings: merchant_ids.map((id) => standings.get(id) ?? verifiedMerchant(id)) };
  });
  if (readStandings.callers.includes(service))
    await serveRequests(others, { service: "gateway", log, requests: [read] }).start();
  return merchants;
}

const SINCE = "2026-11-21T09:30:00.000+00:00";

const verifiedMerchant = (merchant_id: string): MerchantStanding => ({
  merchant_id,
  standing: "verified",
  verified: true,
  suspension: null,
});
