import { type MerchantScope, type MerchantStanding, Problem, readStandings, STANDINGS_MAX } from "@collect/contracts";
import { createGroupCommit } from "@collect/runtime";
import type { Bus } from "./connection/connect.ts";

/** Whether merchants may make live things. Asks the gateway each time: nothing is remembered. */
export type Standings = {
  /** The gateway's answer to a question that was sent after this call. Throws if the gateway does not answer. */
  read(merchantId: string): Promise<MerchantStanding>;
  /**
   * Why this merchant may make nothing live now: `verification_required`, `merchant_suspended`, or `service_unavailable` if the
   * gateway does not answer. Undefined if it may; in test mode always, without a question.
   */
  refusal(merchant: MerchantScope): Promise<Problem | undefined>;
  /** The same, thrown. */
  assertMayCreate(merchant: MerchantScope): Promise<void>;
};

/**
 * Calls that arrive while a question is on its way form the next question, for all their merchants at once. They never
 * join the one that was sent before them: the gateway may have read its rows before a suspension that committed since.
 */
export function createStandings(bus: Bus): Standings {
  const read = createGroupCommit<string, MerchantStanding>({
    name: "standings",
    commit: async (ids) => {
      const { standings } = await bus.request(readStandings, { merchant_ids: [...new Set(ids)] });
      const known = new Map(standings.map((standing) => [standing.merchant_id, standing]));
      return ids.map((id) => known.get(id) ?? unknownMerchant(id));
    },
    batchMax: STANDINGS_MAX,
    queueMax: 10_000,
    refuse: () => new Problem("service_unavailable", "Too many requests are in progress. Try again shortly."),
  });
  const refusal: Standings["refusal"] = async ({ id, mode }) => {
    if (mode === "test") return undefined;
    return read(id).then(refusalFor, asProblem);
  };
  return {
    read,
    refusal,
    async assertMayCreate(merchant) {
      const refused = await refusal(merchant);
      if (refused) throw refused;
    },
  };
}

/** Why a merchant of this standing may make nothing live; undefined if it may. */
export function refusalFor({ standing, suspension }: MerchantStanding): Problem | undefined {
  if (suspension || standing === "suspended")
    return new Problem(
      "merchant_suspended",
      "This business is suspended: for now it can't take new live payments or send money. Money that was already sent to it is still credited.",
    );
  if (standing === "verified") return undefined;
  return new Problem(
    "verification_required",
    "This business is not verified yet, so it has no live payments. Its verification is in the dashboard's settings; test mode works meanwhile.",
  );
}

/** A merchant that the gateway does not know has never been verified. */
const unknownMerchant = (merchant_id: string): MerchantStanding => ({
  merchant_id,
  standing: "draft",
  verified: false,
  suspension: null,
});

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
