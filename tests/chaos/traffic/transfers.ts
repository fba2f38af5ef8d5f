import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { randomId } from "@collect/testing";
import { keyOf, nairaOf, type Reported } from "../observations.ts";
import type { Context } from "./context.ts";

type Account = { merchant: number; accountNumber: string };

const PAYERS = ["Chidi Eze", "Ada Obi", "Bola Ade", "Ngozi Okafor", "Tunde Bello"];
/** The share of reports that the bank repeats even after a 200. */
const REPEAT_SHARE = 0.02;
const AMOUNTS = [10_000, 999_999] as const;

/** The partner bank's side of incoming transfers. */
export function createBank(context: Context, accounts: readonly Account[]) {
  const { world, random, bank } = context;
  const keys = new Set<string>();

  async function report(given: Account & { amount: number; session?: string }): Promise<Reported> {
    const now = Date.now();
    const reported: Reported = {
      ...given,
      session: given.session,
      id: randomId("trf"),
      paidAtMs: now,
      firstSentAt: now,
      acknowledgedAt: undefined,
    };
    // A transfer for a session must keep its amount; its account identifies it.
    while (!given.session && keys.has(keyOf(reported))) reported.amount++;
    keys.add(keyOf(reported));
    world.observations.reported.push(reported);
    const body = JSON.stringify({
      id: reported.id,
      account_number: reported.accountNumber,
      amount: nairaOf(reported.amount),
      currency: "NGN",
      payer: { name: random.pick(PAYERS), account_number: "0123456789", bank_name: "First Bank" },
      narration: null,
      paid_at: new Date(reported.paidAtMs).toISOString().replace("Z", "+00:00"),
    });
    const headers = { [SIGNATURE_HEADER]: signBody(body, world.stack.bankDoor.secret) };
    const send = () => bank({ method: "POST", path: "/bank/transfers", headers, body }, ({ status }) => status === 200);
    const response = await send();
    if (!response) return reported;
    reported.acknowledgedAt = Date.now();
    const { status } = response.body;
    if (status !== "accepted" && status !== "duplicate")
      world.observations.anomalies.push(`transfer ${reported.id} was answered with 200 and status ${status}`);
    if (random.chance(REPEAT_SHARE)) await send();
    return reported;
  }

  return {
    report,
    payRandomAccount: () => report({ ...random.pick(accounts), amount: random.int(...AMOUNTS) }),
  };
}
export type Bank = ReturnType<typeof createBank>;
