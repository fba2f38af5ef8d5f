import { until } from "@collect/testing";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, type BankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { type ProcessName, startStack } from "../stack.ts";
import { expectModel, type Model, type Real } from "./expect-model.ts";
import { redrive } from "./proof.ts";
import { createModelSession, type ModelSession, passTime, payInto, reportSent } from "./session-model.ts";

const stack = await startStack();
afterAll(() => stack.stop());

type Command = fc.AsyncCommand<Model, Real>;

/** Every service on the path of money, in its order. */
const ON_THE_PATH = ["accounts", "ledger", "payments", "webhooks"] as const satisfies ProcessName[];
const pick = <Value>(from: Value[], index: number): Value | undefined => from[index % from.length];

const open = (naira: number, own: boolean): Command => ({
  check: () => true,
  async run(model, real) {
    const customer = own ? { customer_reference: "cust_42", customer_name: "Ada Obi" } : {};
    const { status, body } = await real.api.post("/payments", { amount: naira, ...customer });
    expect(status).toBe(201);
    const { reference, account_number } = body;
    const session = { reference: String(reference), account: String(account_number), own };
    model.sessions.push(createModelSession({ ...session, amount: Math.round(Number(body.amount) * 100) }, model.now));
    await expectModel(stack, model, real);
  },
  toString: () => `open(${naira}, ${own ? "own" : "shared"})`,
});

/** The amounts that a payer may send for a session: the exact amount, less, more, or the missing amount. */
const AMOUNT_OF = {
  exactly: ({ amount }: ModelSession) => amount,
  less: ({ amount }: ModelSession) => Math.ceil(amount / 3),
  more: ({ amount }: ModelSession) => amount + 100,
  missing: ({ amount, received }: ModelSession) => Math.max(amount - received, 1),
};
type AmountKind = keyof typeof AMOUNT_OF;
type Paying = { which: number; kind: AmountKind };

/** Each transfer is fully processed before the next is sent. */
const pay = (paying: Paying): Command => ({
  check: ({ sessions }) => sessions.length > 0,
  async run(model, real) {
    await send(model, real, paying);
    await expectModel(stack, model, real);
  },
  toString: () => `pay(${paying.which}, ${paying.kind})`,
});

/** A service is killed while a transfer is in progress; a redrive republishes it, as the sweep would do. */
const payDuringCrash = (paying: Paying, victim: (typeof ON_THE_PATH)[number]): Command => ({
  check: ({ sessions }) => sessions.length > 0,
  async run(model, real) {
    const killed = stack.service(victim).kill9();
    await Promise.all([send(model, real, paying), killed.then(() => stack.service(victim).restart())]);
    await redrive(stack, real);
    await expectModel(stack, model, real);
  },
  toString: () => `payWhileDying(${paying.which}, ${paying.kind}, ${victim})`,
});

/**
 * The exact amount for every session while payments is down: the transfers arrive late, as one batch and in any order.
 */
const payAllDuringOutage = (): Command => ({
  check: ({ sessions }) => sessions.some(({ status }) => status === "pending"),
  async run(model, real) {
    await stack.service("payments").kill9();
    const pending = model.sessions.filter(({ status }) => status === "pending");
    await Promise.all(
      pending.map(async (session) => {
        const transfer = aBankTransfer({ account_number: session.account, amount: session.amount / 100 });
        await report(model, real, transfer, session.amount);
      }),
    );
    for (const { account, amount } of pending) payInto(model.sessions, { account, amount }, model.now);
    await stack.service("payments").restart();
    await redrive(stack, real);
    await expectModel(stack, model, real);
  },
  toString: () => "payAllAtOnceLater",
});

/** Received at the last moment and matched long after the expiry: it was in time. */
const payAtTheLastMoment = (which: number): Command => ({
  check: ({ sessions }) => sessions.some(({ status }) => status === "pending"),
  async run(model, real) {
    const session = pick(
      model.sessions.filter(({ status }) => status === "pending"),
      which,
    );
    if (!session) return;
    await stack.service("ledger").kill9();
    await stack
      .database("payments")
      .query("update sessions set expires_at = clock_timestamp() + interval '1 second' where reference = $1", [
        session.reference,
      ]);
    const transfer = aBankTransfer({ account_number: session.account, amount: session.amount / 100 });
    await report(model, real, transfer, session.amount);
    payInto(model.sessions, session, model.now);
    await until("its time is up", async () => {
      const { rows } = await stack
        .database("payments")
        .query(
          "select 1 from sessions where reference = $1 and expires_at < clock_timestamp() - interval '4 seconds'",
          [session.reference],
        );
      return rows.length === 1;
    });
    await stack.service("ledger").restart();
    await redrive(stack, real);
    await expectModel(stack, model, real);
  },
  toString: () => `payAtTheLastMoment(${which})`,
});

const repeatAll = (): Command => ({
  check: ({ paid }) => paid.size > 0,
  async run(model, real) {
    const answers = await Promise.all(
      [...real.notified.values()].map((transfer) => reportTransfer(stack.bankDoor, transfer)),
    );
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(["duplicate"]));
    await redrive(stack, real);
    await expectModel(stack, model, real);
  },
  toString: () => "repeatAll",
});

/** Moves the sessions' times into the past instead of the clock forward. */
const wait = (minutes: number): Command => ({
  check: ({ sessions }) => sessions.length > 0,
  async run(model, real) {
    model.now += minutes;
    passTime(model.sessions, model.now);
    const age = ["created_at", "expires_at", "watch_until"].map(
      (time) => `${time} = ${time} - $2 * interval '1 minute'`,
    );
    await stack
      .database("payments")
      .query(`update sessions set ${age.join()} where merchant_id = $1`, [real.merchant.id, minutes]);
    await expectModel(stack, model, real);
  },
  toString: () => `wait(${minutes})`,
});

const confirmSent = (which: number): Command => ({
  check: ({ sessions }) => sessions.length > 0,
  async run(model, real) {
    const session = pick(model.sessions, which);
    if (!session) return;
    const path = `/checkout/${session.reference}`;
    if ((await real.api.get(path)).body.details_required)
      await real.api.post(`${path}/details`, { name: "Bola Ade", email: "bola@example.com" });
    expect((await real.api.post(`${path}/sent`, {})).status).toBe(200);
    reportSent(session, model.now);
    await expectModel(stack, model, real);
  },
  toString: () => `sent(${which})`,
});

async function send(model: Model, real: Real, { which, kind }: Paying): Promise<void> {
  const session = pick(model.sessions, which);
  if (!session) return;
  const amount = AMOUNT_OF[kind](session);
  await report(model, real, aBankTransfer({ account_number: session.account, amount: amount / 100 }), amount);
  payInto(model.sessions, { account: session.account, amount }, model.now);
}

/** Repeats the report until it is answered with 200, as a bank does. */
async function report(model: Model, real: Real, transfer: BankTransfer, amount: number): Promise<void> {
  await until("the bank is answered", () =>
    reportTransfer(stack.bankDoor, transfer).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  model.paid.set(transfer.id, amount);
  real.notified.set(transfer.id, transfer);
}

test("sessions and balances match the model after any payments, repeats, delays, reordering and crashes", async () => {
  const which = fc.nat({ max: 20 });
  const kind = fc.constantFrom<AmountKind>("exactly", "less", "more", "missing");
  const paying = fc.record({ which, kind });
  const commands = fc.commands(
    [
      fc.tuple(fc.constantFrom(10, 20, 500), fc.boolean()).map(([naira, own]) => open(naira, own)),
      fc.tuple(fc.constantFrom(10, 20), fc.boolean()).map(([naira, own]) => open(naira, own)),
      paying.map(pay),
      paying.map(pay),
      fc.tuple(paying, fc.constantFrom(...ON_THE_PATH)).map(([each, victim]) => payDuringCrash(each, victim)),
      fc.constant(payAllDuringOutage()),
      which.map(payAtTheLastMoment),
      fc.constant(repeatAll()),
      fc.constantFrom(10, 29, 31, 120, 1_500).map(wait),
      which.map(confirmSent),
    ],
    { maxCommands: 40, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      await fc.asyncModelRun(initialState, given);
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 2), endOnFailure: true },
  );
}, 240_000);

/** A merchant with one session of each kind. */
async function initialState(): Promise<{ model: Model; real: Real }> {
  const merchant = await stack.createMerchant({ rateLimits: { reads: 1_000_000 } });
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const model: Model = { sessions: [], now: 0, paid: new Map() };
  const real: Real = { merchant, api, since: new Date().toISOString(), notified: new Map() };
  for (const own of [true, false]) await open(20, own).run(model, real);
  return { model, real };
}
