import { z } from "zod";
import { check, http } from "./demo-client.ts";
import { OWN_BANK } from "./partners.ts";
import type { Stack } from "./running.ts";
import type { BankName } from "./settings.ts";

/** A transfer into an account at the partner bank, in naira. */
export type BankTransfer = {
  /** The bank's own: the same again is the same transfer, reported again. */
  id: string;
  account_number: string;
  amount: number;
  payer_name: string;
  payer_account_number?: string;
  payer_bank_name?: string;
  narration?: string;
  paid_at?: string;
};

/** The simulated partner bank as the stack's other side: payers send money through it, and it sends payouts. */
export type SimulatedBank = {
  name: string;
  /** What its control API is below. */
  control: string;
  /** What it needs to know of a person before it opens an account. */
  identity: { bvn?: string };
  /** Has the bank report a transfer in its own words. Returns what the door's answer means. */
  report(transfer: BankTransfer): Promise<"accepted" | "duplicate">;
  /** Has the bank refuse the next payout. */
  refusePayout(): Promise<void>;
};

export function simulatedBank({ bank, bank_simulator_url }: Pick<Stack, "bank" | "bank_simulator_url">): SimulatedBank {
  const { name, path, identity, idField, outcomes, refusal } = BANKS[bank];
  const control = `${bank_simulator_url}${path}/control`;
  const post = async (action: string, body: object) => {
    const answered = await http(`${control}/${action}`, { method: "POST", body });
    check(answered.status === 200, `the bank simulator returned ${answered.status}: ${JSON.stringify(answered.body)}`);
    return answered.body;
  };
  return {
    name,
    control,
    identity,
    async report({ id, ...transfer }) {
      const reported = Reported.parse(await post("transfers", { ...transfer, [idField]: id }));
      const answer = reported.transfers[0].answers[0];
      const outcome = outcomes[answer.body.responseCode ?? answer.body.status ?? ""];
      check(outcome !== undefined, `the bank door returned ${JSON.stringify(answer)}`);
      return outcome;
    },
    refusePayout: async () => void (await post(refusal.action, { ...refusal.body, times: 1 })),
  };
}

const Answer = z.object({
  body: z.object({ status: z.string().optional(), responseCode: z.string().optional() }).catch({}),
});
const Reported = z.object({ transfers: z.tuple([z.object({ answers: z.tuple([Answer], z.unknown()) })]) });

type Bank = Pick<SimulatedBank, "name" | "identity"> & {
  /** Where it is at the simulator. */
  path: string;
  /** What its control API calls the id of a transfer. */
  idField: string;
  /** What the words of the door's answer mean. */
  outcomes: Record<string, "accepted" | "duplicate">;
  refusal: { action: string; body: object };
};

const IN_OUR_WORDS = { accepted: "accepted", duplicate: "duplicate" } as const;

const BANKS: Record<BankName, Bank> = {
  local: {
    name: OWN_BANK.BANK_NAME,
    path: "",
    identity: {},
    idField: "id",
    outcomes: IN_OUR_WORDS,
    refusal: { action: "payouts", body: { begin: "failed" } },
  },
  providus: {
    name: "Providus Bank",
    path: "/providus",
    identity: {},
    idField: "settlement_id",
    outcomes: { "00": "accepted", "01": "duplicate" },
    refusal: { action: "payouts", body: { order: "05" } },
  },
  monnify: {
    name: "Monnify",
    path: "/monnify",
    identity: { bvn: "22212345678" },
    idField: "transaction_reference",
    outcomes: IN_OUR_WORDS,
    refusal: { action: "disbursements", body: { refusal: "D03" } },
  },
};
