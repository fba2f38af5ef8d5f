import { randomUUID } from "node:crypto";
import { TEST_BANK } from "@collect/bank";
import type { Bus } from "@collect/bus";
import type { MerchantScope, Outcome, RequestContext, SimulationResult } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { closeSession, type PayableSession } from "../adapters/payments.ts";
import type { SimulatedPayment } from "../domain/simulation.ts";
import { spendTestVolume } from "../store/test-volume.ts";
import { type AwaitRecorded, PATH_WAIT_MS } from "./await-recorded.ts";
import type { Intake } from "./intake.ts";

const LATE = "The payment was accepted and will be credited, but this is taking longer than usual. Do not repeat it.";

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

type Deps = { pool: Pool; bus: Bus; intake: Intake; awaitRecorded: AwaitRecorded };

export function createTestMoney({ pool, bus, intake, awaitRecorded }: Deps): TestMoney {
  async function arrive({ merchant, accountNumber, payerName }: TestPayment, amount: bigint) {
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
    return awaitRecorded(intakeId, { withinMs: PATH_WAIT_MS, whenLate: LATE });
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
