import { randomUUID } from "node:crypto";
import { TEST_BANK } from "@collect/bank";
import { answer, type Bus, type Request } from "@collect/bus";
import { collectionRecorded, type Fact, Problem, type SimulationResult, simulatePayment } from "@collect/contracts";
import { instantOf, type Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { amountSent } from "../domain/simulation.ts";
import { findAccount } from "../store/customer-accounts.ts";
import { readRecorded } from "../store/recorded.ts";
import type { Intake } from "./intake.ts";

/** How long a caller waits for the end of the path, and how often the intake row is asked when nothing wakes it. */
const WAIT_MS = 10_000;
const ASK_EVERY_MS = 250;

type Recorded = Pick<Fact<typeof collectionRecorded>, "reference" | "deliveryNumber">;

/** Test money arrives in one customer's account by the path real money takes; answered once the event is recorded. */
export function createSimulation({ pool, bus, intake }: { pool: Pool; bus: Bus; intake: Intake }): Request {
  const awaitRecorded = createWaiting(bus, pool);
  return answer(
    simulatePayment,
    async ({ merchant, customer_reference, outcome, amount, payer_name }): Promise<SimulationResult> => {
      if (merchant.mode !== "test")
        throw new Problem("test_key_required", "Payments can be simulated in test mode only.");
      const account = await findAccount(pool, merchant, customer_reference);
      if (!account?.account_number) throw new Problem("not_found", "There is no such customer account.");
      if (account.status === "retired")
        throw new Problem("account_retired", "The account is retired; nothing more can be paid into it.");
      if (amount === undefined) {
        const errors = [{ param: "amount", code: "required", message: "is required: no payment session is open" }];
        throw new Problem("validation_failed", "amount is required when no payment session is open.", { errors });
      }
      const common = { outcome, account_number: account.account_number, mode: merchant.mode };
      const sent = amountSent(outcome, amount);
      if (sent === undefined) {
        const message = "Nothing was credited and no webhook is sent: the payment expired.";
        return { ...common, credited: false, reference: `col_${randomUUID().replaceAll("-", "")}`, amount, message };
      }
      const { intakeId } = await intake({
        bank: TEST_BANK.code,
        mode: "test",
        bankTransferId: randomUUID(),
        accountNumber: account.account_number,
        amount: sent,
        currency: "NGN",
        payer: { name: payer_name ?? account.customer_name, accountNumber: null, bankName: TEST_BANK.name },
        narration: null,
        paidAt: instantOf(new Date()),
      });
      const { reference, deliveryNumber } = await awaitRecorded(intakeId);
      const webhook =
        deliveryNumber === null
          ? "No webhook URL is set: the event is recorded and can be sent later."
          : "A collection.success webhook was queued.";
      return {
        ...common,
        credited: true,
        reference,
        amount: sent,
        message: `${formatNaira(sent)} was credited. ${webhook}`,
      };
    },
  );
}

/** Woken by the event as it passes by; otherwise the intake row tells, where the reference is stored. */
function createWaiting(bus: Bus, pool: Pool) {
  const waiting = new Map<string, (recorded: Recorded) => void>();
  bus.listen(collectionRecorded, (facts) => {
    if (waiting.size === 0) return;
    for (const fact of facts) {
      const recorded = collectionRecorded.data.safeParse(fact);
      if (recorded.success) waiting.get(recorded.data.intakeId)?.(recorded.data);
    }
  });

  return async function awaitRecorded(intakeId: string): Promise<Recorded> {
    const { promise, resolve, reject } = Promise.withResolvers<Recorded>();
    waiting.set(intakeId, resolve);
    const asking = setInterval(async () => {
      const recorded = await readRecorded(pool, intakeId).catch(() => undefined);
      if (recorded) resolve(recorded);
    }, ASK_EVERY_MS);
    const late = "The payment is taken in and will be credited, but that took longer than usual. Do not repeat it.";
    const giveUp = setTimeout(() => reject(new Problem("service_unavailable", late)), WAIT_MS);
    try {
      return await promise;
    } finally {
      clearInterval(asking);
      clearTimeout(giveUp);
      waiting.delete(intakeId);
    }
  };
}
