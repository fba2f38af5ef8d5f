import { randomUUID } from "node:crypto";
import { TEST_BANK } from "@collect/bank";
import type { Bus } from "@collect/bus";
import {
  collectionRecorded,
  type Fact,
  type MerchantScope,
  type Outcome,
  Problem,
  type RequestContext,
  type SimulationResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { closeSession, type PayableSession } from "../adapters/payments.ts";
import type { SimulatedPayment } from "../domain/simulation.ts";
import { readRecorded } from "../store/recorded.ts";
import { spendTestVolume } from "../store/test-volume.ts";
import type { Intake } from "./intake.ts";

/** How long a caller waits for the end of the path, and how often the intake row is polled when no event wakes it. */
const WAIT_MS = 10_000;
const POLL_EVERY_MS = 250;

export type TestPayment = SimulatedPayment & {
  merchant: MerchantScope;
  outcome: Outcome;
  accountNumber: string;
  /** The session it is for, if there is one. */
  session: PayableSession | null;
  payerName: string;
};
/** Sends test money along the path of real money, or expires a session, and returns the result. */
export type TestMoney = (payment: TestPayment, context: RequestContext) => Promise<SimulationResult>;

type Recorded = Pick<Fact<typeof collectionRecorded>, "reference" | "deliveryNumber">;

export function createTestMoney({ pool, bus, intake }: { pool: Pool; bus: Bus; intake: Intake }): TestMoney {
  const awaitRecorded = createRecordedListener(bus, pool);

  async function arrive({ merchant, accountNumber, payerName }: TestPayment, amount: bigint): Promise<Recorded> {
    await spendTestVolume(pool, merchant, amount);
    const { intakeId } = await intake.accept({
      bank: TEST_BANK.code,
      mode: "test",
      bankTransferId: randomUUID(),
      type: "credit",
      accountNumber,
      amount,
      currency: "NGN",
      payer: { name: payerName, accountNumber: null, bankName: TEST_BANK.name },
      narration: null,
      // Paid at intake, on the database's clock, which also creates the sessions.
      paidAt: null,
    });
    return awaitRecorded(intakeId);
  }

  return async (payment, context) => {
    const { merchant, outcome, accountNumber, session, owed, sent } = payment;
    const common = { outcome, account_number: accountNumber, mode: merchant.mode };
    if (sent === undefined) {
      const isClosed = session !== null && (await closeSession(bus, merchant, session.reference, context));
      const reference = session?.reference ?? `col_${randomUUID().replaceAll("-", "")}`;
      return { ...common, credited: false, reference, amount: owed, message: expiredMessage(session, isClosed) };
    }
    const { reference, deliveryNumber } = await arrive(payment, sent);
    return { ...common, credited: true, reference, amount: sent, message: creditedMessage(sent, deliveryNumber) };
  };
}

function creditedMessage(sent: bigint, deliveryNumber: number | null): string {
  const webhook =
    deliveryNumber === null
      ? "No webhook URL is set: the event is recorded and can be sent later."
      : "A collection.success webhook was queued.";
  return `${formatNaira(sent)} was credited. ${webhook}`;
}

function expiredMessage(session: PayableSession | null, isClosed: boolean): string {
  if (!session) return "Nothing was credited and no webhook is sent: the payment expired.";
  if (isClosed) return "Nothing was credited and no webhook is sent: the payment session expired.";
  return "Nothing was credited and no webhook is sent. The payment session was not open any more and is unchanged.";
}

/** Woken by the event; otherwise polls the intake row, where the reference is stored. */
function createRecordedListener(bus: Bus, pool: Pool) {
  const waiting = new Map<string, (recorded: Recorded) => void>();
  const wake = (facts: unknown[]) => {
    for (const fact of facts) {
      const recorded = collectionRecorded.data.safeParse(fact);
      if (recorded.success) waiting.get(recorded.data.intakeId)?.(recorded.data);
    }
  };
  bus.listen(collectionRecorded, wake, () => waiting.size > 0);

  return async function awaitRecorded(intakeId: string): Promise<Recorded> {
    const { promise, resolve, reject } = Promise.withResolvers<Recorded>();
    waiting.set(intakeId, resolve);
    const polling = setInterval(async () => {
      const recorded = await readRecorded(pool, intakeId).catch(() => undefined);
      if (recorded) resolve(recorded);
    }, POLL_EVERY_MS);
    const late =
      "The payment was accepted and will be credited, but this is taking longer than usual. Do not repeat it.";
    const timeout = setTimeout(() => reject(new Problem("service_unavailable", late)), WAIT_MS);
    try {
      return await promise;
    } finally {
      clearInterval(polling);
      clearTimeout(timeout);
      waiting.delete(intakeId);
    }
  };
}
