import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { someId } from "@collect/testing";
import { keyOf, nairaOf, type Reported } from "../books.ts";
import type { Context } from "./context.ts";

type Account = { merchant: number; accountNumber: string };

const PAYERS = ["Chidi Eze", "Ada Obi", "Bola Ade", "Ngozi Okafor", "Tunde Bello"];
/** As banks do: repeated until it is answered 200, and now and then once more. */
const REPEATED = 0.02;
const AMOUNTS = [10_000, 999_999] as const;

/** The partner bank's side of money that comes in. */
export function createBank(context: Context, accounts: readonly Account[]) {
  const { world, random, bank } = context;
  const keys = new Set<string>();

  async function report(given: Account & { amount: number; session?: string }): Promise<Reported> {
    const now = Date.now();
    const reported: Reported = {
      ...given,
      session: given.session,
      id: someId("trf"),
      paidAtMs: now,
      firstSentAt: now,
      answeredAt: undefined,
    };
    // Money for a session must keep its amount; its account alone tells it apart.
    while (!given.session && keys.has(keyOf(reported))) reported.amount++;
    keys.add(keyOf(reported));
    world.books.reported.push(reported);
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
    const answer = await send();
    if (!answer) return reported;
    reported.answeredAt = Date.now();
    const { status } = answer.body;
    if (status !== "accepted" && status !== "duplicate")
      world.books.oddities.push(`transfer ${reported.id} was answered 200 with ${status}`);
    if (random.chance(REPEATED)) await send();
    return reported;
  }

  return {
    report,
    payAnyone: () => report({ ...random.pick(accounts), amount: random.int(...AMOUNTS) }),
  };
}
export type Bank = ReturnType<typeof createBank>;
